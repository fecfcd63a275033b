/** `npm run gen operation <area> <verb-noun>`: stamps an operation, its test and its three door lines. */
import { existsSync } from 'node:fs';
import { appendFile, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { doorEdits, GenError, indexLine, operationSource, readArguments, testSource } from './operation.ts';

const root = fileURLToPath(new URL('../../../../', import.meta.url));

try {
  const operation = readArguments(process.argv.slice(2));
  const folder = join(root, 'packages/core/src', operation.area);
  if (!existsSync(join(folder, 'index.ts')))
    throw new GenError(`there is no area ${operation.area} in packages/core/src`);
  const file = join(folder, `${operation.file}.ts`);
  if (existsSync(file)) throw new GenError(`${file} exists already`);
  await writeFile(file, operationSource(operation));
  await writeFile(join(folder, `${operation.file}.test.ts`), testSource(operation));
  await appendFile(join(folder, 'index.ts'), `${indexLine(operation)}\n`);
  const doors: string[] = [];
  for (const { path, edit } of doorEdits(operation)) {
    const door = join(root, path);
    if (!existsSync(door)) continue;
    await writeFile(door, edit(await readFile(door, 'utf8')));
    doors.push(path);
  }
  process.stdout.write(
    [
      `wrote packages/core/src/${operation.area}/${operation.file}.ts and its test`,
      ...doors.map((path) => `added a line to ${path}`),
      'now: write the handler, say what it does, then npm run format && npm run contracts',
      '',
    ].join('\n'),
  );
} catch (error) {
  if (!(error instanceof GenError)) throw error;
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 1;
}
