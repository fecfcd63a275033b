/** Checks the types of every file, as the `typecheck` scripts of the packages do one by one, in as few programs as their options allow. */
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ROOT } from '../root.ts';
import { runCommand } from '../run-command.ts';
import { typePrograms } from './type-programs.ts';
import { readPackages } from './typed-packages.ts';

const folder = join(ROOT, 'node_modules/.cache/postrider');
await mkdir(folder, { recursive: true });
for (const [index, { config, files }] of typePrograms(await readPackages()).entries()) {
  const path = join(folder, `types-${index}.json`);
  const compilerOptions = { tsBuildInfoFile: join(folder, `types-${index}.tsbuildinfo`) };
  await writeFile(path, JSON.stringify({ extends: config, compilerOptions, include: [], files }));
  const { code } = await runCommand(join(ROOT, 'node_modules/.bin/tsc-native'), ['-p', path]);
  if (code !== 0) process.exitCode = code;
}
