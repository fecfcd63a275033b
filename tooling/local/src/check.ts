/**
 * `npm run check`: the checks and the tests without servers that a change affects (turbo caches the results of the
 * rest), then the tests named after a changed file. `npm test` runs everything.
 */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from './root.ts';
import { runCommand } from './run-command.ts';

const TASKS = [
  'lint:style',
  'lint:imports',
  'lint:unused',
  'lint:coverage',
  'lint:lock',
  'typecheck',
  'lint:promises',
  'test:rules',
];

const bin = (name: string): string => join(ROOT, 'node_modules/.bin', name);
const tasks = await runCommand(bin('turbo'), ['run', ...TASKS, '--continue', '--output-logs=errors-only']);
const files = await testsOfChanges();
const tests =
  files.length === 0
    ? { code: 0 }
    : await runCommand(bin('vitest'), ['run', '--project', 'db', '--passWithNoTests', ...files]);
process.exitCode = tasks.code === 0 && tests.code === 0 ? 0 : 1;

/** The tests of `contacts/x.ts` are in `contacts/x.test.ts`; a changed test file is run itself. */
async function testsOfChanges(): Promise<string[]> {
  const { output } = await runCommand('git', ['status', '--porcelain', '--no-renames', '-uall'], {
    captured: true,
  });
  const changed = output.split('\n').map((line) => line.slice(3));
  const names = changed.flatMap((path) => {
    if (/[.]test[.]tsx?$/.test(path)) return [path];
    return /[.]tsx?$/.test(path) ? [path.replace(/([.][a-z]+)?[.]tsx?$/, '.test.ts')] : [];
  });
  return [...new Set(names)].filter((path) => existsSync(join(ROOT, path)));
}
