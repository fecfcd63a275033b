/** Fails when no `typecheck` script checks a TypeScript file of the repository. */
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { ROOT } from '../root.ts';
import { type Package, untypedFiles } from './untyped-files.ts';

/** Programs that a test compiles in a temporary folder, together with generated types. */
const COMPILED_BY_TESTS = ['apps/api/test/clients/'];

async function listed(...patterns: string[]): Promise<string[]> {
  const args = ['ls-files', '--cached', '--others', '--exclude-standard', '-z', '--', ...patterns];
  const { stdout } = await promisify(execFile)('git', args, { cwd: ROOT, maxBuffer: 2 ** 26 });
  return stdout.split('\0').filter((path) => path !== '' && existsSync(join(ROOT, path)));
}

const packages = await Promise.all(
  (await listed('*/*/package.json')).map(async (path): Promise<Package> => {
    const { scripts } = JSON.parse(await readFile(join(ROOT, path), 'utf8')) as Partial<Package>;
    return { folder: join(ROOT, dirname(path)), ...(scripts ? { scripts } : {}) };
  }),
);
const sources = (await listed('*.ts', '*.tsx', '*.mts')).filter(
  (path) => !COMPILED_BY_TESTS.some((folder) => path.startsWith(folder)),
);
const untyped = untypedFiles(ROOT, sources, packages);
for (const file of untyped) console.error(`${file}: no tsconfig.json of a typecheck script includes it`);
process.exitCode = untyped.length === 0 ? 0 : 1;
