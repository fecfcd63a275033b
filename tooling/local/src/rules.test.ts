import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const root = fileURLToPath(new URL('../../../', import.meta.url));
const core = 'packages/core/src';

/** One violation of each dependency rule: which file imports which. Both are written to a temporary tree. */
const violations: { rule: string; from: string; imports: string }[] = [
  {
    rule: 'rank-audience-contacts',
    from: `${core}/audience/contacts/a.ts`,
    imports: `${core}/mail/sending/index.ts`,
  },
  {
    rule: 'rank-mail-sending',
    from: `${core}/mail/sending/a.ts`,
    imports: `${core}/automation/campaigns/index.ts`,
  },
  {
    rule: 'rank-automation-campaigns',
    from: `${core}/automation/campaigns/a.ts`,
    imports: `${core}/automation/workflows/index.ts`,
  },
  {
    rule: 'front-door-audience-contacts',
    from: `${core}/mail/sending/b.ts`,
    imports: `${core}/audience/contacts/inner.ts`,
  },
  {
    rule: 'front-door-mail-sending',
    from: 'apps/api/src/rest/b.ts',
    imports: `${core}/mail/sending/inner.ts`,
  },
  { rule: 'rank-mail-ledger', from: `${core}/mail/ledger/a.ts`, imports: `${core}/mail/delivery/index.ts` },
  {
    rule: 'areas-live-on-floors',
    from: `${core}/audience/lists/a.ts`,
    imports: `${core}/audience/contacts/index.ts`,
  },
  { rule: 'db-knows-no-area', from: `${core}/base/db/a.ts`, imports: `${core}/audience/contacts/index.ts` },
  {
    rule: 'lib-imports-nothing-of-ours',
    from: `${core}/base/lib/a.ts`,
    imports: `${core}/base/kernel/index.ts`,
  },
  {
    rule: 'room-audience-contacts',
    from: 'apps/dashboard/src/features/audience/contacts/a.ts',
    imports: 'apps/dashboard/src/features/workflows/pages/inner.ts',
  },
  {
    rule: 'features-live-in-rooms',
    from: 'apps/dashboard/src/features/topics/a.ts',
    imports: 'apps/dashboard/src/ui/inner.ts',
  },
  {
    rule: 'ui-and-lib-know-no-features',
    from: 'apps/dashboard/src/ui/a.ts',
    imports: 'apps/dashboard/src/features/emails/inner.ts',
  },
  {
    rule: 'only-stores-touch-the-database',
    from: `${core}/audience/contacts/c.ts`,
    imports: 'node_modules/pg/index.js',
  },
  {
    rule: 'connections-come-from-one-factory',
    from: `${core}/mail/delivery/a.ts`,
    imports: 'node_modules/pg/index.js',
  },
  {
    rule: 'connections-come-from-one-factory',
    from: 'apps/worker/src/a.ts',
    imports: 'node_modules/pg/index.js',
  },
  {
    rule: 'schemas-and-rules-are-pure',
    from: `${core}/audience/contacts/d.schema.ts`,
    imports: `${core}/audience/contacts/inner.ts`,
  },
  {
    rule: 'schemas-and-rules-are-pure',
    from: `${core}/audience/contacts/e.rules.ts`,
    imports: `${core}/audience/contacts/f.store.ts`,
  },
  {
    rule: 'schemas-and-rules-are-pure',
    from: `${core}/audience/contacts/i.rules.ts`,
    imports: 'node:crypto',
  },
  {
    rule: 'schemas-and-rules-are-pure',
    from: `${core}/automation/workflows/a.step.ts`,
    imports: `${core}/automation/workflows/inner.run.ts`,
  },
  {
    rule: 'schemas-and-rules-are-pure',
    from: `${core}/automation/workflows/a.trigger.ts`,
    imports: `${core}/automation/workflows/inner.store.ts`,
  },
  {
    rule: 'schemas-and-rules-are-pure',
    from: `${core}/content/templates/design/a.block.ts`,
    imports: `${core}/content/templates/b.store.ts`,
  },
  {
    rule: 'tasks-stay-small',
    from: `${core}/mail/sending/a.task.ts`,
    imports: `${core}/audience/contacts/index.ts`,
  },
  { rule: 'tasks-stay-small', from: `${core}/mail/sending/b.task.ts`, imports: `${core}/base/db/client.ts` },
  {
    rule: 'contracts-are-pure',
    from: `${core}/audience/contacts/contract.ts`,
    imports: `${core}/audience/contacts/inner.ts`,
  },
  {
    rule: 'contracts-are-pure',
    from: `${core}/base/lib/text-limits.ts`,
    imports: `${core}/base/kernel/operation.ts`,
  },
  {
    rule: 'providers-lie-below-the-kernel',
    from: `${core}/base/providers/a.ts`,
    imports: `${core}/base/kernel/index.ts`,
  },
  {
    rule: 'schemas-and-rules-are-pure',
    from: `${core}/base/providers/a.provider.ts`,
    imports: 'node:net',
  },
  {
    rule: 'kernel-imports-nothing-of-ours',
    from: `${core}/base/kernel/a.ts`,
    imports: `${core}/audience/contacts/index.ts`,
  },
  {
    rule: 'core-knows-no-transport',
    from: `${core}/audience/contacts/g.ts`,
    imports: 'node_modules/fastify/index.js',
  },
  {
    rule: 'vendors-only-in-adapters',
    from: `${core}/audience/contacts/h.ts`,
    imports: 'node_modules/nodemailer/index.js',
  },
  { rule: 'door-rest-alone', from: 'apps/api/src/rest/c.ts', imports: 'apps/api/src/trpc/inner.ts' },
  { rule: 'door-trpc-alone', from: 'apps/api/src/trpc/c.ts', imports: 'apps/api/src/graphql/inner.ts' },
  { rule: 'door-graphql-alone', from: 'apps/api/src/graphql/c.ts', imports: 'apps/api/src/rest/inner.ts' },
  { rule: 'sdk-imports-nothing', from: 'packages/sdk/src/a.ts', imports: 'node:crypto' },
  {
    rule: 'sdk-imports-nothing',
    from: 'packages/sdk/src/b.ts',
    imports: `${core}/audience/contacts/contract.ts`,
  },
  {
    rule: 'mcp-uses-the-sdk',
    from: 'packages/mcp/src/a.ts',
    imports: `${core}/audience/contacts/contract.ts`,
  },
  {
    rule: 'dashboard-imports-contracts-and-router-types',
    from: 'apps/dashboard/src/a.ts',
    imports: `${core}/audience/contacts/index.ts`,
  },
  {
    rule: 'dashboard-imports-contracts-and-router-types',
    from: 'apps/dashboard/src/b.ts',
    imports: `${core}/audience/contacts/inner.schema.ts`,
  },
  {
    rule: 'workflows-import-contracts-and-types',
    from: 'apps/worker/src/a.workflow.ts',
    imports: `${core}/audience/contacts/index.ts`,
  },
  {
    rule: 'workflows-import-contracts-and-types',
    from: 'apps/worker/src/workflow-kit/a.ts',
    imports: `${core}/audience/contacts/index.ts`,
  },
  {
    rule: 'contracts-of-jobs-import-nothing',
    from: `${core}/audience/contacts/i.jobs.ts`,
    imports: `${core}/audience/contacts/inner.ts`,
  },
  { rule: 'no-cycles', from: 'apps/worker/src/cycle-a.ts', imports: 'apps/worker/src/cycle-b.ts' },
];

/** Imports that the rules must allow. */
const allowed: { from: string; imports: string }[] = [
  {
    from: 'apps/dashboard/src/features/workflows/pages/ok.ts',
    imports: 'apps/dashboard/src/features/audience/contacts/ok.ts',
  },
  { from: `${core}/mail/sending/ok.ts`, imports: `${core}/audience/contacts/index.ts` },
  { from: `${core}/base/db/connect.ts`, imports: 'node_modules/pg/index.js' },
  { from: `${core}/audience/contacts/ok.schema.ts`, imports: `${core}/base/kernel/schemas.ts` },
  { from: `${core}/audience/contacts/ok.ts`, imports: `${core}/automation/campaigns/campaigns.jobs.ts` },
  { from: 'apps/dashboard/src/ok.ts', imports: `${core}/people/users/contract.ts` },
  { from: `${core}/people/users/contract.ts`, imports: `${core}/people/users/ok.schema.ts` },
  { from: 'apps/worker/src/ok.workflow.ts', imports: `${core}/audience/contacts/contacts.jobs.ts` },
];

interface Found {
  from: string;
  rule: { name: string };
}

let tree: string;
let found: Found[];

beforeAll(async () => {
  tree = await mkdtemp(join(tmpdir(), 'postrider-rules-'));
  const files = new Map<string, string>();
  for (const { from, imports } of [...violations, ...allowed]) {
    if (!imports.startsWith('node:')) {
      files.set(
        imports,
        files.get(imports) ??
          (imports.startsWith('node_modules') ? 'module.exports = {};' : 'export const it = 1;'),
      );
    }
    files.set(from, `import { it } from '${relative(from, imports)}';\nexport const made = it;\n`);
  }
  files.set('apps/worker/src/cycle-b.ts', `export { made } from './cycle-a.ts';\nexport const it = 1;\n`);
  for (const name of ['pg', 'fastify', 'nodemailer']) {
    files.set(
      `node_modules/${name}/package.json`,
      JSON.stringify({ name, version: '1.0.0', main: 'index.js' }),
    );
  }
  for (const [path, text] of files) {
    await mkdir(dirname(join(tree, path)), { recursive: true });
    await writeFile(join(tree, path), text);
  }
  found = await cruise();
}, 60_000);

afterAll(() => rm(tree, { recursive: true, force: true }));

/** Packages and modules of Node are imported by name, everything else by its path. */
function relative(from: string, to: string): string {
  if (to.startsWith('node:')) return to;
  const name = /^node_modules\/([^/]+)\//.exec(to)?.[1];
  return name ?? `${'../'.repeat(from.split('/').length - 1)}${to}`;
}

function cruise(): Promise<Found[]> {
  const cli = join(root, 'node_modules/.bin/depcruise');
  const config = join(root, '.dependency-cruiser.mjs');
  return new Promise((resolve, reject) => {
    execFile(
      process.execPath,
      [cli, '--config', config, '--output-type', 'json', 'packages', 'apps'],
      { cwd: tree, maxBuffer: 64 << 20 },
      (error, stdout) => {
        // Its exit code is the number of violations.
        if (stdout === '') reject(error ?? new Error('dependency-cruiser printed nothing'));
        else resolve((JSON.parse(stdout) as { summary: { violations: Found[] } }).summary.violations);
      },
    );
  });
}

describe('dependency rules', () => {
  it.each(violations)('$rule finds $from → $imports', ({ rule, from }) => {
    expect(
      found.filter((violation) => violation.from === from).map((violation) => violation.rule.name),
    ).toContain(rule);
  });

  it.each(allowed)('allow $from to import $imports', ({ from }) => {
    expect(found.filter((violation) => violation.from === from)).toEqual([]);
  });
});

describe('only *.store.ts queries the database', () => {
  const call =
    /\b(prisma|db|tx)\s*\.\s*(\$queryRaw|\$executeRaw|[a-z]\w*\s*\.\s*(find|create|update|delete|count|upsert|aggregate|groupBy))/;

  it('recognises a call', () => {
    expect(call.test('await ctx.db.contact.findMany({})')).toBe(true);
    expect(call.test('await prisma.$queryRaw`SELECT 1`')).toBe(true);
    expect(call.test('await findContact(ctx.db, id)')).toBe(false);
  });

  it('holds for every area of core', async () => {
    const folder = join(root, core);
    const names = await readdir(folder, { recursive: true });
    const own = names.filter(
      (name) =>
        name.endsWith('.ts') && !/^(base\/(db|kernel)|testing)\/|\.(store|test|fixture)\.ts$/.test(name),
    );
    expect(own.length).toBeGreaterThan(50);
    const guilty: string[] = [];
    for (const name of own) if (call.test(await readFile(join(folder, name), 'utf8'))) guilty.push(name);
    expect(guilty).toEqual([]);
  });
});
