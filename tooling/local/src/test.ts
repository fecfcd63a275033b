import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build } from './build.ts';
import { ensureChromium } from './chromium.ts';
import { ROOT } from './root.ts';
import { runCommand } from './run-command.ts';
import { temporalBinary } from './temporal-binary.mjs';
import { type Count, countTests, secondRun, type VitestReport } from './test-count.ts';
import { timeSkippingServer } from './time-skipping-server.ts';

/**
 * `npm test`: every check of the repository and all tests. The last line is `N passed, N failed`; a check counts as one.
 * Two lanes share the processor, because neither uses all of it: the tests with a database and those with a Temporal server; and
 * the checks, the tests without a database and those in the browser, whose output is printed as blocks when they end.
 * A few files that failed are run once more, with the machine to themselves (decision 107): what fails again has failed, and what passes
 * then is counted and named at the end, because a test whose answer depends on load is a fault of its own.
 * `npm test -- <words>` passes the words to Vitest and skips the checks.
 */
type Check = [title: string, work: () => Promise<void>];

/** Prerequisites of the tests. */
const PREPARATIONS: Check[] = [
  ['Generated code', () => turbo('generate')],
  // Threads and processes of the tests start in half of the processor time with them.
  ['Modules without types', () => run(process.execPath, ['packages/core/startup/strip-types.mjs'])],
  ['Workflow bundle', () => run('npm', ['run', '--silent', 'build', '-w', '@postrider/worker'])],
  ['Temporal server', async () => void (await temporalBinary())],
  ['Temporal test server', async () => void (await timeSkippingServer())],
  ['Browser', async () => void (await ensureChromium())],
];
const DASHBOARD: Check = ['The dashboard and the documentation build', () => build()];
const CHECKS: Check[] = [
  ['Platform packages in the lock', () => turbo('lint:lock')],
  ['Licences of dependencies', () => turbo('lint:licences')],
  ['Types of every file', () => run(process.execPath, ['tooling/local/src/checks/types.cli.ts'])],
  ['Every file is type-checked', () => turbo('lint:coverage')],
  DASHBOARD,
  ['Format and style', () => turbo('lint:style')],
  ['Promises', () => turbo('lint:promises')],
  ['Imports follow the architecture', () => turbo('lint:imports')],
  ['Unused code', () => turbo('lint:unused')],
  ['Contracts are those of the code', () => run('npm', ['run', '--silent', 'contracts', '--', '--check'])],
];

const tiers = (...names: string[]): string[] => names.flatMap((tier) => ['--project', tier]);

const words = process.argv.slice(2);
/** More files with a failure than these are no accident of load. */
const MOST_FILES_AGAIN = 5;
/** What failed, each with the beginning of its message: the output above is long. */
const failures: string[] = [];
let passed = 0;
let failed = 0;
/** The same of the files that may be run again. */
const first = { files: [] as string[], failures: [] as string[] };
const unsteady: string[] = [];

for (const preparation of PREPARATIONS) await check(preparation);
if (words.length > 0) {
  await check(DASHBOARD);
  await tests('Tests', words);
} else {
  await Promise.all([
    tests('Tests with a database', tiers('db')).then(() =>
      tests('Tests with a Temporal server', tiers('temporal')),
    ),
    inTurn(CHECKS)
      .then(() => tests('Tests without a database', tiers('rules', 'heavy'), { captured: true }))
      .then(() => tests('Tests in the browser', tiers('e2e'), { captured: true })),
  ]);
}

await again();
if (unsteady.length > 0)
  console.log(`\nPassed only when they were run again, alone:\n\n${unsteady.join('\n\n')}\n`);
console.log(`\n${failures.length === 0 ? 'Everything passed.' : `Failed:\n\n${failures.join('\n\n')}\n`}`);
console.log(`${passed} passed, ${failed} failed`);
process.exitCode = failed === 0 ? 0 : 1;
// Nothing may follow the last line, and the IPC channel to the bootstrap would keep this process alive.
if (process.connected) process.disconnect();

async function inTurn(checks: Check[]): Promise<void> {
  for (const one of checks) await check(one);
}

async function check([title, work]: Check): Promise<void> {
  const begun = performance.now();
  try {
    await work();
    passed++;
    console.log(`${heading(title)}\nok, ${seconds(begun)}`);
  } catch (error) {
    failed++;
    failures.push(title);
    const reason = error instanceof Error ? error.message : String(error);
    console.log(`${heading(title)}\n${reason}\nFAILED, ${seconds(begun)}`);
  }
}

async function tests(title: string, args: string[], { captured = false } = {}): Promise<void> {
  const begun = performance.now();
  if (!captured) console.log(heading(title));
  const counted = await vitest(title, args, captured);
  passed += counted.passed;
  if (counted.files) {
    first.files.push(...counted.files);
    first.failures.push(...counted.failures);
  } else count(counted.failures);
  console.log(`${title}: ${counted.passed} passed, ${counted.failed} failed, ${seconds(begun)}`);
}

/** Runs the files that failed once more, if they are few, and counts their failures by what they do then. */
async function again(): Promise<void> {
  if (first.files.length === 0 || first.files.length > MOST_FILES_AGAIN || words.length > 0) {
    count(first.failures);
    return;
  }
  const title = 'Files that failed, once more';
  console.log(heading(title));
  const settled = secondRun(first.failures, await vitest(title, first.files, false));
  count(settled.failures);
  unsteady.push(...settled.unsteady);
  passed += settled.unsteady.length;
}

function count(more: string[]): void {
  failures.push(...more);
  failed += more.length;
}

async function vitest(title: string, args: string[], captured: boolean): Promise<Count> {
  const folder = await mkdtemp(join(tmpdir(), 'postrider-report-'));
  const file = join(folder, 'report.json');
  const { code, output } = await runCommand(
    join(ROOT, 'node_modules/.bin/vitest'),
    ['run', '--reporter=default', '--reporter=json', `--outputFile.json=${file}`, ...args],
    { captured },
  );
  if (captured) console.log(`${heading(title)}\n${output}`);
  const text = await readFile(file, 'utf8').catch(() => undefined);
  await rm(folder, { recursive: true, force: true });
  return countTests(text === undefined ? undefined : (JSON.parse(text) as VitestReport), code);
}

function turbo(task: string): Promise<void> {
  return run(join(ROOT, 'node_modules/.bin/turbo'), ['run', task, '--output-logs=errors-only']);
}

async function run(command: string, args: string[]): Promise<void> {
  const { code, output } = await runCommand(command, args, { captured: true });
  if (code !== 0) throw new Error(output.trim());
}

function heading(title: string): string {
  return `\n── ${title} ${'─'.repeat(Math.max(3, 70 - title.length))}`;
}

function seconds(since: number): string {
  return `${((performance.now() - since) / 1000).toFixed(1)} s`;
}
