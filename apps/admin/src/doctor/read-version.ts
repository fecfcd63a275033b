import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

/** The version of this installation. */
export async function readVersion(): Promise<string> {
  const text = await readFile(join(import.meta.dirname, '../../package.json'), 'utf8');
  const { version }: { version: string } = JSON.parse(text);
  return version;
}
