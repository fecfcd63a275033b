import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { beforeAll, expect, it } from 'vitest';
import { ROOT } from './root.ts';

const startup = join(ROOT, 'packages/core/startup');
const node = (...args: string[]): string =>
  execFileSync(process.execPath, ['--disable-warning=ExperimentalWarning', ...args], {
    encoding: 'utf8',
    cwd: ROOT,
  });

beforeAll(() => void node(join(startup, 'strip-types.mjs')), 120_000);

/** Whether Node loads its compiler for these modules. */
const loadsCompiler = (module: string, ...flags: string[]): boolean =>
  node(
    ...flags,
    '--input-type=module',
    '--eval',
    `await import(${JSON.stringify(join(ROOT, module))});
     console.log(process.moduleLoadList.some((name) => name.includes('internal/deps/amaro')));`,
  ).trim() === 'true';

const stripped = ['--import', join(startup, 'stripped.mjs')];

it('modules that are kept without their types need no compiler', () => {
  expect(loadsCompiler('packages/core/src/base/lib/index.ts')).toBe(true);
  expect(loadsCompiler('packages/core/src/base/lib/index.ts', ...stripped)).toBe(false);
});

it('a module that is not kept is stripped when it is loaded', () => {
  expect(loadsCompiler('packages/core/src/testing/addresses.fixture.ts', ...stripped)).toBe(true);
});

it('nothing is made again while nothing has changed', () => {
  expect(node(join(startup, 'strip-types.mjs'))).toMatch(/^0 of \d+ modules/);
});
