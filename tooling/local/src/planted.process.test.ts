import { execFile } from 'node:child_process';
import { appendFile, cp, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ROOT } from './root.ts';

const run = promisify(execFile);
const bin = (name: string): string => join(ROOT, 'node_modules/.bin', name);

let tree: string;

beforeEach(async () => {
  tree = await mkdtemp(join(tmpdir(), 'postrider-planted-'));
});

afterEach(() => rm(tree, { recursive: true, force: true }));

async function plant(files: Record<string, string>): Promise<void> {
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(tree, path)), { recursive: true });
    await writeFile(join(tree, path), text);
  }
}

async function copy(...paths: string[]): Promise<void> {
  for (const path of paths) {
    await mkdir(dirname(join(tree, path)), { recursive: true });
    await cp(join(ROOT, path), join(tree, path));
  }
}

/** The output of a check, which fails when it has found something. */
async function outputOf(name: string, ...args: string[]): Promise<string> {
  const env = { ...process.env, TURBO_TELEMETRY_DISABLED: '1', NO_COLOR: '1' };
  const { stdout } = await run(process.execPath, [bin(name), ...args], {
    cwd: tree,
    env,
    maxBuffer: 2 ** 26,
  }).catch((error: { stdout?: string }) => {
    if (error.stdout === undefined) throw error;
    return { stdout: error.stdout };
  });
  return stdout;
}

describe('the check of promises', () => {
  it('finds a promise that is not awaited, a misused one, and an await of a plain value', async () => {
    await copy('.oxlintrc.json');
    await plant({
      'tsconfig.json': '{ "compilerOptions": { "strict": true, "target": "ES2024" }, "include": ["src"] }',
      'src/planted.ts': [
        'export async function work(): Promise<void> {}',
        'export function floating(): void {\n  work();\n}',
        'export const misused = (): string => (work() ? "a" : "b");',
        'export async function needless(): Promise<void> {\n  await 3;\n}',
      ].join('\n'),
    });
    const output = await outputOf('oxlint', '--type-aware');
    for (const rule of ['no-floating-promises', 'no-misused-promises', 'await-thenable']) {
      expect(output).toContain(rule);
    }
  });
});

describe('the check of unused code', () => {
  it('finds an export that no other file uses, also one that is only re-exported by an index', async () => {
    await copy('knip.json');
    await plant({
      'package.json': '{ "name": "planted", "private": true, "workspaces": ["packages/*"] }',
      'packages/core/package.json': '{ "name": "@postrider/core", "exports": { "./*": "./src/*/index.ts" } }',
      'packages/core/src/audience/contacts/index.ts': "export { passedOn } from './contacts.rules.ts';\n",
      'packages/core/src/audience/contacts/contacts.rules.ts':
        'export const passedOn = 1;\nexport const unused = 2;\nexport interface UnusedShape {}\n',
    });
    const output = await outputOf('knip', '--no-progress');
    for (const name of ['passedOn', 'unused', 'UnusedShape']) expect(output).toContain(name);
  });
});

describe('the cache of type checks', () => {
  const schema = 'packages/core/src/audience/contacts/contacts.schema.ts';
  const dependents = ['api', 'worker', 'dashboard', 'bench', 'chaos', 'harness', 'seed', 'core'];

  async function hashes(): Promise<Record<string, string>> {
    const dry = JSON.parse(await outputOf('turbo', 'run', 'typecheck', '--dry=json')) as {
      tasks: { taskId: string; hash: string }[];
    };
    return Object.fromEntries(dry.tasks.map(({ taskId, hash }) => [taskId, hash]));
  }

  it('is invalid for api, worker and dashboard after a change in a schema of core', async () => {
    const { stdout } = await run('git', ['ls-files', '*package.json'], { cwd: ROOT });
    await copy('turbo.json', 'package-lock.json', schema, ...stdout.trim().split('\n'));
    await run('git', ['init', '-q'], { cwd: tree });
    const before = await hashes();
    await appendFile(join(tree, schema), 'export const planted: number = "text";\n');
    const after = await hashes();
    for (const name of dependents) {
      const task = `@postrider/${name}#typecheck`;
      expect(before[task]).toBeDefined();
      expect([task, after[task]]).not.toEqual([task, before[task]]);
    }
    const local = '@postrider/local#typecheck';
    expect(after[local]).toBe(before[local]);
  });
});
