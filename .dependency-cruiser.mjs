/** Areas of core by rank (ARCHITECTURE.md): an area uses only areas of the rows above its own. */
const ranks = [
  ['audit', 'figures', 'idempotency', 'follow-ups', 'live'],
  ['users', 'projects'],
  ['storage'],
  ['members', 'billing', 'reputation', 'uploads', 'domains', 'installation'],
  ['references', 'keys', 'webhook-endpoints', 'documents'],
  ['contacts', 'templates'],
  ['events'],
  ['segments'],
  ['sending'],
  ['tracking'],
  ['campaigns', 'workflows'],
  ['analytics', 'activity', 'exports', 'provider', 'removal', 'search'],
];
const areas = ranks.flat();
const core = '^packages/core/src';
/** What runs in a browser as well. */
const pureKernel =
  'schemas|fields|page-schemas|job-schemas|enums|type-names|text-limits|errors|sign-in-providers|mail-languages|time-zones[.]rules';
const pure = ['[.](schema|rules|step)[.]ts$', `${core}/kernel/(${pureKernel})[.]ts$`, '^node_modules/zod/'];
const inTest = '[.](test|fixture)[.]ts$';

const rankRules = ranks.flatMap((row, index) =>
  row.map((area) => ({
    name: `rank-${area}`,
    comment: `${area} has a lower rank; changes are reported upwards as domain events`,
    severity: 'error',
    from: { path: `${core}/${area}/`, pathNot: inTest },
    to: {
      path: `${core}/(${[...ranks.slice(index + 1).flat(), ...row.filter((other) => other !== area && row.length > 1 && !(area === 'projects' && other === 'users') && !(area === 'users' && other === 'projects'))].join('|') || 'nothing'})/`,
      pathNot: '[.]jobs[.]ts$',
    },
  })),
);

const frontDoorRules = areas.map((area) => ({
  name: `front-door-${area}`,
  comment: 'other areas import only index.ts',
  severity: 'error',
  from: { path: '^(packages|apps)/', pathNot: [`${core}/${area}/`, inTest] },
  to: {
    path: `${core}/${area}/`,
    pathNot: [
      `${core}/${area}/(index|contract)[.]ts$`,
      `${core}/${area}/[^/]+[.](schema|jobs|rules)[.]ts$`,
      `${core}/${area}/.+[.]task[.]ts$`,
      `${core}/templates/language/index[.]ts$`,
    ],
  },
}));

export default {
  forbidden: [
    ...rankRules,
    ...frontDoorRules,
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
        pathNot: ['[.]store[.]ts$', inTest, `${core}/sending/delivery/`],
      },
      to: { path: '^node_modules/pg/', dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'tasks-stay-small',
      comment: 'a thread loads what a task imports: the language and the message, never the database',
      severity: 'error',
      from: { path: '[.]task[.]ts$' },
      to: {
        path: [`${core}/db/`, '/index[.]ts$'],
        pathNot: [`${core}/(templates/language|sending/message)/index[.]ts$`],
        dependencyTypesNot: ['type-only'],
      },
    },
    {
      name: 'connections-come-from-one-factory',
      comment: 'a client of pg without an error listener ends the process when PostgreSQL restarts',
      severity: 'error',
      from: { path: '^(packages|apps)/', pathNot: [`${core}/db/connect[.]ts$`, `${core}/testing/`, inTest] },
      to: { path: '^node_modules/pg/', dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'schemas-and-rules-are-pure',
      comment: 'these files also run in the browser',
      severity: 'error',
      from: { path: `${core}/.*[.](schema|rules|step)[.]ts$` },
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
      to: { pathNot: `${core}/kernel/kernel[.]jobs[.]ts$` },
    },
    {
      name: 'contracts-are-pure',
      comment: 'browsers import contract.ts of an area',
      severity: 'error',
      from: { path: [`${core}/[^/]+/contract[.]ts$`, `${core}/kernel/(${pureKernel})[.]ts$`] },
      to: { pathNot: pure, dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'kernel-imports-nothing-of-ours',
      severity: 'error',
      from: { path: `${core}/kernel/`, pathNot: inTest },
      to: {
        path: '^(packages|apps|tooling)/',
        // db/retry.ts imports nothing: operations repeat a transaction by the same rule as single statements.
        pathNot: [`${core}/kernel/`, `${core}/db/retry\\.ts$`],
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
      to: { path: '^node_modules/(@temporalio|nodemailer|@aws-sdk|stripe)/' },
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
        pathNot: `${core}/[^/]+/contract[.]ts$`,
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
    exclude: { path: ['/dist/', 'node_modules/[.]', '/contracts/'] },
    tsPreCompilationDeps: 'specify',
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'node', 'default', 'types'],
    },
  },
};
