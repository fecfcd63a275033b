import { appendFile, mkdir, readFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { RunHead, RunRecord } from './run-record.ts';

/** Appends one line of JSON per run, so that an interrupted series can be continued. */
export async function appendRecord(file: string, record: RunRecord): Promise<void> {
  await mkdir(dirname(file), { recursive: true });
  await appendFile(file, `${JSON.stringify(record)}\n`);
}

/** The newest record of each run; empty if the file does not exist. */
export async function readRecords(file: string): Promise<RunRecord[]> {
  const text = await readFile(file, 'utf8').catch(onlyMissing);
  const newest = new Map<string, RunRecord>();
  for (const line of text.split('\n')) {
    if (line === '') continue;
    const record = JSON.parse(line) as RunRecord;
    newest.set(keyOf(record), record);
  }
  return [...newest.values()];
}

export const keyOf = ({ scenario, seed, recipients, commit }: Omit<RunHead, 'at'>): string =>
  JSON.stringify([scenario, seed, recipients, commit]);

function onlyMissing(error: NodeJS.ErrnoException): string {
  if (error.code === 'ENOENT') return '';
  throw error;
}
