import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build } from './build.ts';
import { ensureChromium } from './chromium.ts';
import { ROOT } from './root.ts';
import { temporalBinary } from './temporal-binary.mjs';
import { countTests, type VitestReport } from './test-count.ts';
import { timeSkippingServer } from './time-skipping-server.ts';

/**
 * `npm test`: every check of the repository, then all tests. The last line is `N passed, N failed`; a check counts as
 * one. `npm test -- <words>` passes words on to Vitest.
 */
const CHECKS: [title: string, work: () => Promise<void>][] = [
  ['Generated code', () => npm('generate')],
  ['Format and lint', () => npm('format:check')],
  ['Promises, architecture, dead code', () => npm('lint')],
  ['Types', () => npm('typecheck')],
  ['Contracts are those of the code', () => npm('contracts', '--', '--check')],
  ['The dashboard builds', () => build()],
  ['Temporal server', async () => void (await temporalBinary())],
  ['Temporal test server', async () => void (await timeSkippingServer())],
  ['Browser', async () => void (await ensureChromium())],
];

const failures: string[] = [];
let passed = 0;
let failed = 0;

for (const [title, work] of CHECKS) await check(title, work);
await tests();

console.log(`\n${failures.length === 0 ? 'Everything passed.' : `Failed: ${failures.join('; ')}`}`);
console.log(`${passed} passed, ${failed} failed`);
process.exitCode = failed === 0 ? 0 : 1;
// Nothing may write behind the last line, and the channel to the bootstrap would keep this process alive.
if (process.connected) process.disconnect();

async function check(title: string, work: () => Promise<void>): Promise<void> {
  const begun = performance.now();
  heading(title);
  try {
    await work();
    passed++;
    console.log(`ok, ${seconds(begun)}`);
  } catch (error) {
    failed++;
    failures.push(title);
    console.log(`FAILED, ${seconds(begun)}: ${error instanceof Error ? error.message : String(error)}`);
  }
}

async function tests(): Promise<void> {
  const begun = performance.now();
  heading('Tests');
  const folder = await mkdtemp(join(tmpdir(), 'postrider-report-'));
  const file = join(folder, 'report.json');
  const args = [
    'run',
    '--reporter=default',
    '--reporter=json',
    `--outputFile.json=${file}`,
    ...process.argv.slice(2),
  ];
  const code = await run(join(ROOT, 'node_modules/.bin/vitest'), args);
  const text = await readFile(file, 'utf8').catch(() => undefined);
  await rm(folder, { recursive: true, force: true });
  const count = countTests(text === undefined ? undefined : (JSON.parse(text) as VitestReport), code);
  passed += count.passed;
  failed += count.failed;
  if (count.failed > 0) failures.push(`${count.failed} tests`);
  console.log(`${count.passed} tests passed, ${count.failed} failed, ${seconds(begun)}`);
}

async function npm(script: string, ...args: string[]): Promise<void> {
  const code = await run('npm', ['run', '--silent', script, ...args]);
  if (code !== 0) throw new Error(`npm run ${script} ended with ${code}`);
}

async function run(command: string, args: string[]): Promise<number> {
  const child = spawn(command, args, { cwd: ROOT, stdio: ['ignore', 'inherit', 'inherit'] });
  for (const name of ['SIGINT', 'SIGTERM'] as const) process.once(name, () => child.kill(name));
  const [code] = await once(child, 'exit');
  return typeof code === 'number' ? code : 1;
}

function heading(title: string): void {
  console.log(`\n── ${title} ${'─'.repeat(Math.max(3, 70 - title.length))}`);
}

function seconds(since: number): string {
  return `${((performance.now() - since) / 1000).toFixed(1)} s`;
}
