import { readdir, readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const folder = join(dirname(fileURLToPath(import.meta.url)), '../../../prisma/migrations');

/** A change of tables, indexes and stored data, in the order of the names. */
export interface Migration {
  name: string;
  sql: string;
}

export async function readMigrations(): Promise<Migration[]> {
  const names = (await readdir(folder, { withFileTypes: true }))
    .filter((entry) => entry.isDirectory())
    .map((entry) => entry.name)
    .sort();
  return Promise.all(
    names.map(async (name) => ({ name, sql: await readFile(join(folder, name, 'migration.sql'), 'utf8') })),
  );
}

/** The name of the schema of this version. */
export async function lastMigration(): Promise<string> {
  const last = (await readMigrations()).at(-1);
  if (!last) throw new Error('there are no migrations');
  return last.name;
}
