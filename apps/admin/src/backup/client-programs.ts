import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { forPrograms } from '@postrider/core/base/lib';
import { CommandError } from '../command.ts';

type Program = 'pg_dump' | 'pg_restore';

const install = (version: string): string =>
  `Install the client programs of PostgreSQL ${version} or later (on Debian postgresql-client), or name their folder with PG_BIN`;

/** A program of PostgreSQL, in the folder `PG_BIN` or on the path, with its version. */
export interface ClientProgram {
  path: string;
  version: number;
}

/**
 * @param leastVersion of the server that it reads, or of the program that wrote what it reads
 * @throws CommandError when there is none, or it is too old
 */
export async function findProgram(
  program: Program,
  folder: string | undefined,
  leastVersion: number,
): Promise<ClientProgram> {
  const path = folder === undefined ? program : join(folder, program);
  const answer = await run(path, ['--version'], {}).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT' || error.code === 'EACCES')
      throw new CommandError(`${path} was not found. ${install(String(leastVersion))}`);
    throw error;
  });
  const version = Number(/\(PostgreSQL\) (\d+)/.exec(answer)?.[1] ?? 0);
  if (version < leastVersion)
    throw new CommandError(
      `${path} is version ${version}, older than the ${leastVersion} of the database. ${install(String(leastVersion))}`,
    );
  return { path, version };
}

/** Runs a program on a database. @throws CommandError with what it said */
export async function runOnDatabase(
  { path }: ClientProgram,
  databaseUrl: string,
  args: readonly string[],
): Promise<void> {
  const { url, password } = forPrograms(databaseUrl);
  await run(path, [`--dbname=${url}`, '--no-password', ...args], password ? { PGPASSWORD: password } : {});
}

/** The last lines say what went wrong. */
const keptCharacters = 2_000;

async function run(path: string, args: readonly string[], env: Record<string, string>): Promise<string> {
  const child = spawn(path, args, {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...environmentOfPrograms(), ...env },
  });
  let said = '';
  let answer = '';
  child.stderr.on('data', (text: Buffer) => {
    said = (said + text.toString()).slice(-keptCharacters);
  });
  child.stdout.on('data', (text: Buffer) => {
    answer = (answer + text.toString()).slice(0, keptCharacters);
  });
  const code = await new Promise<number | null>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', resolve);
  });
  if (code !== 0) throw new CommandError(`${path} failed:\n${said.trim()}`);
  return answer;
}

/** Settings of the caller, such as PGDATABASE, would mix with those of the URL. */
const environmentOfPrograms = (): NodeJS.ProcessEnv => ({
  ...Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^PG(?!SSL)/.test(name))),
  LC_ALL: 'C',
});
