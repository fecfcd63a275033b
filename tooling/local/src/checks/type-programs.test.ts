import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { typePrograms } from './type-programs.ts';

const configOf = (options: object, ...include: string[]): string =>
  JSON.stringify({ compilerOptions: { ...options, strict: true, tsBuildInfoFile: 'info' }, include });
const files = {
  'one/tsconfig.json': configOf({}, 'src'),
  'one/src/a.ts': '',
  'two/tsconfig.json': configOf({}, 'src', 'test'),
  'two/src/b.ts': '',
  'two/test/c.ts': '',
  'browser/tsconfig.json': configOf({ lib: ['DOM'] }, 'src'),
  'browser/src/d.ts': '',
};
let root: string;

beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'postrider-programs-'));
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(root, path)), { recursive: true });
    await writeFile(join(root, path), text);
  }
});
afterAll(() => rm(root, { recursive: true, force: true }));

it('packages with the same options are one program, those with others have their own', () => {
  const packages = ['one', 'two', 'browser'].map((name) => ({
    folder: join(root, name),
    scripts: { typecheck: 'tsc-native -p tsconfig.json' },
  }));
  const found = typePrograms(packages).map((program) =>
    program.files.map((file) => file.slice(root.length + 1)),
  );
  expect(found).toEqual([['browser/src/d.ts'], ['one/src/a.ts', 'two/src/b.ts', 'two/test/c.ts']]);
});
