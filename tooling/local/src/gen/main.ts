/**
 * `npm run gen operation <area> <verb-noun>`: generates an operation, its test and its line in each of the three doors.
 * `npm run gen step <name>`, `npm run gen trigger <name>`: generate a type of workflow step or trigger, from the enum of the database to
 * the form of the dashboard.
 */
import { existsSync, globSync } from 'node:fs';
import { appendFile, mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { FileEdit } from './edits.ts';
import { GenError, stampOf } from './names.ts';
import { doorEdits, indexLine, operationSource, readArguments, testSource } from './operation.ts';
import { newStepFiles, readStepArguments, stepEdits } from './step.ts';
import { newTriggerFiles, readTriggerArguments, triggerEdits } from './trigger.ts';

const root = fileURLToPath(new URL('../../../../', import.meta.url));

const stamps: Readonly<Record<string, (given: string[]) => Promise<string[]>>> = {
  step: stampStep,
  trigger: stampTrigger,
};

try {
  const given = process.argv.slice(2);
  const stamp = stamps[given[0] ?? ''] ?? stampOperation;
  const lines = await stamp(given);
  process.stdout.write([...lines, ''].join('\n'));
} catch (error) {
  if (!(error instanceof GenError)) throw error;
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 1;
}

async function stampOperation(given: string[]): Promise<string[]> {
  const operation = readArguments(given, floorOf);
  const folder = join(root, 'packages/core/src', operation.floor, operation.area);
  const file = join(folder, `${operation.file}.ts`);
  if (existsSync(file)) throw new GenError(`${file} already exists`);
  await writeFile(file, operationSource(operation));
  await writeFile(join(folder, `${operation.file}.test.ts`), testSource(operation));
  await appendFile(join(folder, 'index.ts'), `${indexLine(operation)}\n`);
  const doors = await change(doorEdits(operation).filter(({ path }) => existsSync(join(root, path))));
  return [
    `wrote packages/core/src/${operation.floor}/${operation.area}/${operation.file}.ts and its test`,
    ...doors,
    'next: write the handler and the summary, then run npm run format && npm run contracts',
  ];
}

const floorOf = (area: string): string | undefined =>
  globSync(`*/${area}/index.ts`, { cwd: join(root, 'packages/core/src') })[0]?.split('/')[0];

function stampStep(given: string[]): Promise<string[]> {
  const step = readStepArguments(given);
  return stampType(
    newStepFiles(step, stampOf(new Date())),
    stepEdits(step),
    'definition, its run and its view',
  );
}

function stampTrigger(given: string[]): Promise<string[]> {
  const trigger = readTriggerArguments(given);
  const files = newTriggerFiles(trigger, stampOf(new Date()));
  return stampType(files, triggerEdits(trigger), 'definition, its view and what starts its executions');
}

async function stampType(
  newFiles: Record<string, string>,
  edits: FileEdit[],
  parts: string,
): Promise<string[]> {
  const files = Object.entries(newFiles);
  for (const [path] of files) if (existsSync(join(root, path))) throw new GenError(`${path} already exists`);
  for (const [path, text] of files) {
    await mkdir(dirname(join(root, path)), { recursive: true });
    await writeFile(join(root, path), text);
  }
  const lists = await change(edits);
  return [
    ...files.map(([path]) => `wrote ${path}`),
    ...lists,
    `next: write its ${parts}, then run npm run generate && npm run format && npm run contracts`,
  ];
}

async function change(edits: FileEdit[]): Promise<string[]> {
  for (const { path, edit } of edits) {
    const file = join(root, path);
    await writeFile(file, edit(await readFile(file, 'utf8')));
  }
  return edits.map(({ path }) => `added a line to ${path}`);
}
