/** Fails when no `typecheck` script checks a TypeScript file of the repository. */
import { ROOT } from '../root.ts';
import { listed, readPackages } from './typed-packages.ts';
import { untypedFiles } from './untyped-files.ts';

/** Programs that a test compiles in a temporary folder, together with generated types. */
const COMPILED_BY_TESTS = ['apps/api/test/clients/'];

const sources = (await listed('*.ts', '*.tsx', '*.mts')).filter(
  (path) => !COMPILED_BY_TESTS.some((folder) => path.startsWith(folder)),
);
const untyped = untypedFiles(ROOT, sources, await readPackages());
for (const file of untyped) console.error(`${file}: no tsconfig.json of a typecheck script includes it`);
process.exitCode = untyped.length === 0 ? 0 : 1;
