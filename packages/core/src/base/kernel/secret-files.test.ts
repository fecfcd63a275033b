import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { ConfigError, readConfig } from './config.ts';
import { inFiles } from './secret-files.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'postrider-files-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const values = {
  DATABASE_URL: 'postgres://joe:secret@localhost/postrider',
  APP_SECRET: 'x'.repeat(32),
  SMTP_URL: 'smtp://joe:secret@mail.example',
  METRICS_TOKEN: 'y'.repeat(16),
};

const written = async (name: string, text: string): Promise<string> => {
  const path = join(folder, name);
  await writeFile(path, text);
  return path;
};

function problemsOf(env: Record<string, string>): readonly string[] {
  try {
    readConfig(env);
    return [];
  } catch (error) {
    if (error instanceof ConfigError) return error.problems;
    throw error;
  }
}

it('a secret may be in a file, with or without a line break at its end', async () => {
  const env: Record<string, string> = {};
  for (const name of inFiles) env[`${name}_FILE`] = await written(name, `${values[name]}\n`);
  expect(readConfig(env)).toMatchObject(values);
});

it.each(inFiles)('%s in both forms stops the start, and both are named', async (name) => {
  const path = await written('both', values[name]);
  expect(problemsOf({ ...values, [`${name}_FILE`]: path })).toEqual([
    `${name}_FILE is set together with ${name}: set one of them`,
  ]);
});

it('a file that is missing or empty stops the start, and is named without its content', async () => {
  const { DATABASE_URL: _, ...others } = values;
  const missing = problemsOf({ ...others, DATABASE_URL_FILE: join(folder, 'missing') });
  expect(missing[0]).toBe(
    'DATABASE_URL_FILE names a file that cannot be read (ENOENT), so that DATABASE_URL is not set',
  );
  const empty = problemsOf({ ...others, DATABASE_URL_FILE: await written('empty', '\n') });
  expect(empty[0]).toBe('DATABASE_URL_FILE names a file that is empty, so that DATABASE_URL is not set');
});
