/**
 * Floors of core with their areas by rank (ARCHITECTURE.md): an area uses only areas of the rows above its own. `lib`, `kernel` and `db` are below
 * all of them; `providers` is below the kernel as well.
 */
const floors = {
  base: [
    ['providers'],
    [
      'event-types',
      'figures',
      'idempotency',
      'follow-ups',
      'live',
      'references',
      'documents',
      'attempts',
      'slices',
      'samples',
    ],
  ],
  people: [
    ['audit'],
    ['users', 'projects'],
    ['storage', 'domains'],
    ['members', 'billing', 'reputation', 'installation', 'keys'],
  ],
  audience: [['consent'], ['topics'], ['contacts'], ['events'], ['segments']],
  content: [['uploads', 'templates'], ['source-refs']],
  mail: [
    ['message', 'eligibility', 'diagnosis'],
    ['ledger'],
    ['ramp', 'platform-mail'],
    ['delivery', 'news'],
    ['sending'],
    ['submission', 'tracking', 'forms'],
    ['provider', 'simulator'],
  ],
  automation: [['goals', 'preflight'], ['campaigns', 'workflows'], ['calendar']],
  insight: [
    ['analytics', 'activity', 'webhook-endpoints', 'search', 'requests'],
    ['exports'],
    ['removal', 'approvals', 'privacy', 'restore'],
    ['explain', 'findings'],
    ['metrics'],
  ],
};
const ranks = Object.entries(floors).flatMap(([floor, rows]) =>
  rows.map((row) => row.map((area) => `${floor}/${area}`)),
);
const areas = ranks.flat();
const core = '^packages/core/src';

/** Rooms of the dashboard by rank, in the same way; those of one row do not use each other. */
const roomRanks = [
  [
    'common/explain',
    'common/exports',
    'common/filters',
    'common/media',
    'common/references',
    'common/topics',
  ],
  ['people/account', 'people/audit', 'people/auth', 'people/members', 'people/projects'],
  [
    'settings/billing',
    'settings/brand',
    'settings/consent',
    'settings/domains',
    'settings/reputation',
    'settings/contact-limits',
    'settings/link-tagging',
    'settings/webhook-endpoints',
  ],
  ['settings/keys'],
  ['audience/events'],
  ['audience/activity'],
  ['audience/contacts'],
  ['audience/segments'],
  ['audience/suppressions', 'audience/forms'],
  ['emails'],
  ['mail-editor/blocks', 'mail-editor/variables'],
  ['mail-editor/design'],
  ['mail-editor/content'],
  ['mail-editor/checks'],
  ['mail-editor/editor'],
  ['templates'],
  ['campaigns'],
  ['workflows/steps'],
  ['workflows/canvas'],
  ['workflows/executions'],
  ['workflows/panels'],
  ['workflows/viewer'],
  ['workflows/document', 'workflows/publish'],
  ['workflows/drafts', 'workflows/versions'],
  ['workflows/pages'],
  ['insight/analytics'],
  ['insight/goals'],
  ['insight/reports'],
  ['insight/approvals', 'insight/privacy', 'insight/requests'],
  ['insight/overview'],
];
const features = '^apps/dashboard/src/features';

/** What runs in a browser as well. */
const pureKernel =
  'schemas|logged|fields|mailbox-fields|page-schemas|job-schemas|enums|type-names|errors|sign-in-providers';
const pureLib = 'text-limits|mail-languages|time-zones[.]rules';
const pureBase = `${core}/base/(kernel/(${pureKernel})|lib/(${pureLib}))[.]ts$`;
const pure = ['[.](schema|rules|step|trigger|block|provider)[.]ts$', pureBase, '^node_modules/zod/'];
const inTest = '[.](test|fixture)[.]ts$';

/** Accounts own projects, and projects name their owners. */
const mutual = new Set(['people/users', 'people/projects']);

const rankRules = ranks.flatMap((row, index) =>
  row.map((area) => ({
    name: `rank-${area.replace('/', '-')}`,
    comment: `${area} has a lower rank; changes are reported upwards as domain events`,
    severity: 'error',
    from: { path: `${core}/${area}/`, pathNot: inTest },
    to: {
      path: `${core}/(${[...ranks.slice(index + 1).flat(), ...row.filter((other) => other !== area && row.length > 1 && !mutual.has(area))].join('|') || 'nothing'})/`,
      pathNot: '[.]jobs[.]ts$',
    },
  })),
);

const roomRules = roomRanks.flatMap((row, index) =>
  row.map((room) => ({
    name: `room-${room.replace('/', '-')}`,
    comment: `${room} has a lower rank: what both need belongs below, or a page joins them`,
    severity: 'error',
    from: { path: `${features}/${room}/` },
    to: {
      path: [
        `${features}/(${[...roomRanks.slice(index + 1).flat(), ...row.filter((other) => other !== room)].join('|') || 'nothing'})/`,
        '^apps/dashboard/src/(routes|shell)/',
      ],
    },
  })),
);

/** The database knows no area. */
const dbRule = {
  name: 'db-knows-no-area',
  severity: 'error',
  from: { path: `${core}/base/db/`, pathNot: inTest },
  to: { path: `${core}/(${areas.join('|')})/` },
};

const frontDoorRules = areas.map((area) => ({
  name: `front-door-${area.replace('/', '-')}`,
  comment: 'other areas import only index.ts',
  severity: 'error',
  from: { path: '^(packages|apps)/', pathNot: [`${core}/${area}/`, inTest] },
  to: {
    path: `${core}/${area}/`,
    pathNot: [
      `${core}/${area}/(index|contract)[.]ts$`,
      `${core}/${area}/[^/]+[.](schema|jobs|rules)[.]ts$`,
      `${core}/${area}/.+[.]task[.]ts$`,
      `${core}/content/templates/language/index[.]ts$`,
    ],
  },
}));

export default {
  forbidden: [
    ...rankRules,
    ...frontDoorRules,
    ...roomRules,
    dbRule,
    {
      name: 'features-live-in-rooms',
      comment: 'a room without a rank is not checked: give it one in .dependency-cruiser.mjs',
      severity: 'error',
      from: { path: `${features}/`, pathNot: `${features}/(${roomRanks.flat().join('|')})/` },
      to: {},
    },
    {
      name: 'areas-live-on-floors',
      comment: 'an area without a rank is not checked: give it one in .dependency-cruiser.mjs',
      severity: 'error',
      from: {
        path: `${core}/`,
        pathNot: `${core}/(${[...areas, 'base/(kernel|lib|db)', 'adapters', 'testing'].join('|')})/`,
      },
      to: {},
    },
    {
      name: 'ui-and-lib-know-no-features',
      severity: 'error',
      from: { path: '^apps/dashboard/src/(ui|lib)/' },
      to: { path: '^apps/dashboard/src/(features|routes|shell)/' },
    },
    {
      name: 'properties-have-a-seed',
      comment:
        'tests import fast-check from tooling/vitest/fast-check.ts, which makes their inputs repeatable',
      severity: 'error',
      from: { path: inTest },
      to: { path: '^node_modules/fast-check/' },
    },
    {
      name: 'only-stores-touch-the-database',
      severity: 'error',
      from: {
        path: `${core}/(${areas.join('|')})/`,
        pathNot: ['[.]store[.]ts$', inTest, `${core}/mail/delivery/`],
      },
      to: { path: '^node_modules/pg/', dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'tasks-stay-small',
      comment: 'a thread loads what a task imports: the language and the message, never the database',
      severity: 'error',
      from: { path: '[.]task[.]ts$' },
      to: {
        path: [`${core}/base/db/`, '/index[.]ts$'],
        pathNot: [`${core}/(content/templates/language|mail/message)/index[.]ts$`],
        dependencyTypesNot: ['type-only'],
      },
    },
    {
      name: 'connections-come-from-one-factory',
      comment: 'a client of pg without an error listener ends the process when PostgreSQL restarts',
      severity: 'error',
      from: {
        path: '^(packages|apps)/',
        pathNot: [`${core}/base/db/connect[.]ts$`, `${core}/testing/`, inTest],
      },
      to: { path: '^node_modules/pg/', dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'schemas-and-rules-are-pure',
      comment: 'these files also run in the browser',
      severity: 'error',
      from: { path: `${core}/.*[.](schema|rules|step|trigger|block|provider)[.]ts$` },
      to: {
        pathNot: [...pure, '^node_modules/(isbot|fastest-levenshtein)/'],
        dependencyTypesNot: ['type-only'],
      },
    },
    {
      name: 'contracts-of-jobs-import-nothing',
      comment: 'workflows bundle them, and an area of any rank may signal a job',
      severity: 'error',
      from: { path: `${core}/.*[.]jobs[.]ts$` },
      to: { pathNot: `${core}/base/kernel/kernel[.]jobs[.]ts$` },
    },
    {
      name: 'contracts-are-pure',
      comment: 'browsers import contract.ts of an area',
      severity: 'error',
      from: { path: [`${core}/[^/]+/[^/]+/contract[.]ts$`, pureBase] },
      to: { pathNot: pure, dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'lib-imports-nothing-of-ours',
      comment: 'helpers without a product',
      severity: 'error',
      from: { path: `${core}/base/lib/`, pathNot: inTest },
      to: { path: '^(packages|apps|tooling)/', pathNot: `${core}/base/lib/` },
    },
    {
      name: 'providers-lie-below-the-kernel',
      comment:
        'the configuration makes the provider of MAIL_TRANSPORT, so definitions know nothing of the kernel',
      severity: 'error',
      from: { path: `${core}/base/providers/`, pathNot: inTest },
      to: { path: '^(packages|apps|tooling)/', pathNot: `${core}/base/(lib|providers)/` },
    },
    {
      name: 'kernel-imports-nothing-of-ours',
      severity: 'error',
      from: { path: `${core}/base/kernel/`, pathNot: inTest },
      to: {
        path: '^(packages|apps|tooling)/',
        // base/db/retry.ts imports nothing: operations repeat a transaction by the same rule as single statements.
        pathNot: [`${core}/base/(kernel|lib|providers)/`, `${core}/base/db/retry\\.ts$`],
        dependencyTypesNot: ['type-only'],
      },
    },
    {
      name: 'core-knows-no-transport',
      severity: 'error',
      from: { path: `${core}/`, pathNot: [inTest, `${core}/testing/`] },
      to: { path: '^node_modules/(fastify|@fastify|@trpc|graphql|graphql-yoga|@pothos|react)/|^apps/' },
    },
    {
      name: 'vendors-only-in-adapters',
      severity: 'error',
      from: { path: `${core}/`, pathNot: [`${core}/adapters/`, inTest] },
      to: { path: '^node_modules/(@temporalio|nodemailer|smtp-server|@aws-sdk|stripe)/' },
    },
    ...[
      ['rest', 'trpc|graphql'],
      ['trpc', 'rest|graphql'],
      ['graphql', 'rest|trpc'],
    ].map(([door, others]) => ({
      name: `door-${door}-alone`,
      severity: 'error',
      from: { path: `^apps/api/src/${door}/` },
      to: { path: `^apps/api/src/(${others})/` },
    })),
    {
      name: 'dashboard-imports-contracts-and-router-types',
      severity: 'error',
      from: { path: '^apps/dashboard/src/' },
      to: {
        path: '^(packages/core|apps/(api|worker))/',
        pathNot: `${core}/[^/]+/[^/]+/contract[.]ts$`,
        dependencyTypesNot: ['type-only'],
      },
    },
    {
      name: 'sdk-imports-nothing',
      comment: 'it runs in browsers and edge runtimes, and has no dependencies',
      severity: 'error',
      from: { path: '^packages/sdk/src/', pathNot: inTest },
      to: { pathNot: '^packages/sdk/src/' },
    },
    {
      name: 'mcp-uses-the-sdk',
      comment: 'it is published: the SDK, the protocol and Node are all it may need',
      severity: 'error',
      from: { path: '^packages/mcp/src/', pathNot: inTest },
      to: {
        path: '^(packages|apps|tooling|node_modules)/',
        pathNot: ['^packages/(mcp/src|sdk/src)/', '^node_modules/@modelcontextprotocol/sdk/'],
      },
    },
    {
      name: 'workflows-import-contracts-and-types',
      comment: 'the bundle of a workflow must stay deterministic and small',
      severity: 'error',
      from: { path: ['[.]workflow[.]ts$', '^apps/worker/src/workflow-kit/'] },
      to: {
        pathNot: [
          '^node_modules/@temporalio/(workflow|common)/',
          '[.]jobs[.]ts$',
          '^apps/worker/src/workflow-kit/',
        ],
        dependencyTypesNot: ['type-only'],
      },
    },
    {
      name: 'no-cycles',
      severity: 'error',
      from: { pathNot: ['/generated/'] },
      to: { circular: true },
    },
  ],
  options: {
    doNotFollow: { path: ['node_modules', '/generated/'] },
    exclude: { path: ['/dist([.]new)?/', 'node_modules/[.]', '/contracts/'] },
    tsPreCompilationDeps: 'specify',
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'node', 'default', 'types'],
    },
  },
};
