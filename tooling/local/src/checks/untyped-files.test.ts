import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { untypedFiles } from './untyped-files.ts';

const files = {
  'app/src/checked.ts': '',
  'app/other/unchecked.ts': '',
  'app/tsconfig.json': '{ "include": ["src"] }',
  'forgotten/src/unchecked.ts': '',
  'forgotten/tsconfig.json': '{ "include": ["src"] }',
};
let root: string;

beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'postrider-untyped-'));
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(root, path)), { recursive: true });
    await writeFile(join(root, path), text);
  }
});

afterAll(() => rm(root, { recursive: true, force: true }));

describe('the check for files without type checking', () => {
  it('names a file outside every tsconfig, and one whose package has no typecheck script', () => {
    const sources = Object.keys(files).filter((path) => path.endsWith('.ts'));
    const packages = [
      { folder: join(root, 'app'), scripts: { typecheck: 'tsc-native -p tsconfig.json' } },
      { folder: join(root, 'forgotten') },
    ];
    expect(untypedFiles(root, sources, packages)).toEqual([
      'app/other/unchecked.ts',
      'forgotten/src/unchecked.ts',
    ]);
  });
});
