import { globSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { defineConfig, mergeConfig, type TestProjectInlineConfiguration } from 'vitest/config';
import { base } from './base.ts';

const ROOT = join(import.meta.dirname, '../..');

/**
 * The tier of a test follows from what it needs: `rules` only code and milliseconds, `heavy` mail servers, processes or
 * seconds of computing, `db` PostgreSQL, `temporal` a Temporal server or the whole stack, `e2e` a browser. It is derived
 * from the imports and the name of the test file, so that no list can be out of date.
 */
export type Tier = 'rules' | 'heavy' | 'db' | 'temporal' | 'e2e';

/** A file `*.long.test.ts` is a long series: `npm test` has a short form of what it shows, and `npm run test:long` runs it (decision 112). */
type Group = Tier | `${Tier}-long`;
const LONG_NAME = /[.]long[.]test[.]tsx?$/;

const BROWSER = 'apps/dashboard/e2e/';
const TEMPORAL = ['tooling/local/src/temporal-server.ts', '@temporalio/worker'];
const HEAVY = [
  'smtp-server',
  'ajv/dist/2020.js',
  'tooling/local/src/sink.ts',
  'tooling/local/src/mailbox/start-mailbox.ts',
];
/** What imports do not reveal is in the name: inputs at their limits, random inputs, processes. */
const HEAVY_NAME = /(^|[/.])(limits|property|process)([.]long)?[.]test[.]ts$/;
const DATABASE = ['packages/core/src/testing/test-database.ts', 'tooling/local/src/postgres.ts'];

/** Modules that only tests and tooling import; the product itself never imports a test server. */
const FOLLOWED = /^tooling\/|\/(testing|test|e2e)\/|[.](test|fixtures?)[.]tsx?$/;

/** Files of these tiers run two at a time, also on two cores: many of them wait for timers, restarts and the disk. */
const SIDE_BY_SIDE = { testTimeout: 120_000, maxWorkers: 2 };

const SETTINGS = {
  rules: { ...SIDE_BY_SIDE, isolate: false },
  heavy: SIDE_BY_SIDE,
  // Importing the product takes longer than most of these files.
  db: {
    ...SIDE_BY_SIDE,
    isolate: false,
    globalSetup: [join(ROOT, 'packages/core/src/testing/postgres-global-setup.ts')],
  },
  // These files mostly wait for timers and restarts. Three stacks at once, beside the tests in the browser, are too much for two cores.
  temporal: {
    testTimeout: 600_000,
    maxWorkers: 2,
    sequence: { groupOrder: 2 },
    globalSetup: [join(ROOT, 'packages/core/src/testing/postgres-global-setup.ts')],
  },
  // A browser and the product use both cores of a small machine, so these files run one after the other.
  e2e: {
    testTimeout: 300_000,
    hookTimeout: 600_000,
    maxWorkers: 1,
    sequence: { groupOrder: 1 },
    globalSetup: [join(ROOT, 'apps/dashboard/e2e/stack-global-setup.ts')],
  },
} satisfies Record<Tier, object>;

/** One Vitest project per tier over the test files of a folder, and one for its long series. */
export function tiers(folder: string): TestProjectInlineConfiguration[] {
  const files = globSync('**/*.test.{ts,tsx}', {
    cwd: folder,
    exclude: (path) => /(^|\/)(node_modules|dist|[.].*)$/.test(path),
  }).sort();
  const byGroup = Map.groupBy(files, (file) => groupOf(relative(ROOT, join(folder, file))));
  return (Object.keys(SETTINGS) as Tier[]).flatMap((tier) =>
    ([tier, `${tier}-long`] as const).flatMap((name) => {
      const include = byGroup.get(name);
      if (include === undefined) return [];
      return [mergeConfig(base, defineConfig({ root: folder, test: { name, include, ...SETTINGS[tier] } }))];
    }),
  );
}

/** @param file relative to the root of the repository */
export function groupOf(file: string): Group {
  const tier = tierOf(file);
  return LONG_NAME.test(file) ? `${tier}-long` : tier;
}

function tierOf(file: string): Tier {
  if (file.startsWith(BROWSER)) return 'e2e';
  const reached = reach(file);
  if (TEMPORAL.some((name) => reached.has(name))) return 'temporal';
  if (DATABASE.some((name) => reached.has(name))) return 'db';
  return HEAVY_NAME.test(file) || HEAVY.some((name) => reached.has(name)) ? 'heavy' : 'rules';
}

/** What a test file imports, directly or through other modules of the tests. */
function reach(file: string, reached = new Set<string>()): Set<string> {
  for (const name of importsOf(file)) {
    const target = resolve(file, name);
    if (reached.has(target)) continue;
    reached.add(target);
    if (FOLLOWED.test(target)) reach(target, reached);
  }
  return reached;
}

/** Names of modules in `import … from '…'`, `export … from '…'` and `import('…')`; types need no server. */
function importsOf(file: string): string[] {
  let text: string;
  try {
    text = readFileSync(join(ROOT, file), 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  }
  const statements = text.matchAll(
    /^(?:import|export)\s(?!type\b)[^;'"]*from '([^']+)'|\bimport\('([^']+)'\)/gm,
  );
  return [...statements].flatMap(([, from, dynamic]) => from ?? dynamic ?? []);
}

/** The path of a module of the repository, or the name of any other module. */
function resolve(from: string, name: string): string {
  if (name.startsWith('.')) return join(dirname(from), name);
  const [, owner = '', path = ''] = /^@postrider\/([a-z]+)\/(.+)$/.exec(name) ?? [];
  if (owner === 'core') return `packages/core/src/${path.endsWith('.ts') ? path : `${path}/index.ts`}`;
  if (owner === 'worker' || owner === 'api') return `apps/${owner}/src/${path}.ts`;
  return owner === '' ? name : `tooling/${owner}/src/${path}.ts`;
}
