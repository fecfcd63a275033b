/**
 * `npm run check`: the checks and the `rules` tests that a change affects (turbo caches the results of the rest),
 * then the `heavy` and `db` tests in the folders of changed files. `npm test` runs everything.
 */
import { globSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { groupOf } from '@postrider/vitest/tiers.ts';
import { ROOT } from './root.ts';
import { runCommand } from './run-command.ts';

const TASKS = [
  'lint:style',
  'lint:imports',
  'lint:unused',
  'lint:coverage',
  'lint:lock',
  'lint:licences',
  'typecheck',
  'lint:promises',
  'test:rules',
];

const bin = (name: string): string => join(ROOT, 'node_modules/.bin', name);
const files = await testsOfChanges();
const [tasks, tests] = await Promise.all([
  runCommand(bin('turbo'), ['run', ...TASKS, '--continue', '--output-logs=errors-only']),
  files.length === 0 ? { code: 0, output: '' } : runTests(files),
]);
if (tests.output !== '') console.log(tests.output);
process.exitCode = tasks.code === 0 && tests.code === 0 ? 0 : 1;

/** Runs beside the checks; the output is captured and shown after theirs. */
function runTests(files: string[]) {
  const tiers = ['--project', 'heavy', '--project', 'db', '--passWithNoTests'];
  return runCommand(bin('vitest'), ['run', ...tiers, ...files], { captured: true });
}

/** The `heavy` and `db` tests in the folders of changed files. */
async function testsOfChanges(): Promise<string[]> {
  const { output } = await runCommand('git', ['status', '--porcelain', '--no-renames', '-uall'], {
    captured: true,
  });
  const changed = output.split('\n').map((line) => line.slice(3));
  const folders = new Set(changed.filter((path) => /[.]tsx?$/.test(path)).map((path) => dirname(path)));
  return [...folders]
    .flatMap((folder) => globSync(`${folder}/*.test.ts`, { cwd: ROOT }))
    .filter((file) => ['heavy', 'db'].includes(groupOf(file)));
}
