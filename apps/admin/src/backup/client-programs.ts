import { type ChildProcess, spawn } from 'node:child_process';
import { join } from 'node:path';
import { forPrograms } from '@postrider/core/base/lib';
import { CommandError } from '../command.ts';
import { endWithCommand } from './end-with-command.ts';

/** Where each program comes from: packages of Debian have the version in their names. */
const packages = {
  pg_dump: 'client',
  pg_restore: 'client',
  pg_basebackup: 'client',
  pg_receivewal: 'client',
  pg_verifybackup: 'client',
  pg_amcheck: 'client',
  // pg_verifybackup starts it.
  pg_waldump: 'server',
  postgres: 'server',
} as const;

export type Program = keyof typeof packages;

/** `least`: of the server that it reads, or of the program that wrote what it reads. `exactly`: files of a server belong to one version. */
export type NeededVersion = { least: number } | { exactly: number };

function install(program: Program, needed: NeededVersion): string {
  const [version, orLater] = 'least' in needed ? [needed.least, ' or later'] : [needed.exactly, ''];
  const kind = packages[program];
  const name =
    kind === 'client' && orLater
      ? 'postgresql-client'
      : `postgresql-${kind === 'client' ? 'client-' : ''}${version}`;
  return `Install the ${kind} programs of PostgreSQL ${version}${orLater} (on Debian ${name}), or name their folder with PG_BIN (on Debian /usr/lib/postgresql/${version}/bin)`;
}

/** A program of PostgreSQL, in the folder `PG_BIN` or on the path, with its version. */
export interface ClientProgram {
  path: string;
  version: number;
}

/** @throws CommandError when there is none, or it has another version than is needed */
export async function findProgram(
  program: Program,
  folder: string | undefined,
  needed: NeededVersion,
): Promise<ClientProgram> {
  const path = folder === undefined ? program : join(folder, program);
  const answer = await runProgram(path, ['--version']).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT' || error.code === 'EACCES')
      throw new CommandError(`${path} was not found. ${install(program, needed)}`);
    throw error;
  });
  const version = Number(/\(PostgreSQL\) (\d+)/.exec(answer)?.[1] ?? 0);
  if ('least' in needed && version < needed.least)
    throw new CommandError(
      `${path} is version ${version}, older than the ${needed.least} of the database. ${install(program, needed)}`,
    );
  if ('exactly' in needed && version !== needed.exactly)
    throw new CommandError(
      `${path} is version ${version}, and the files are of PostgreSQL ${needed.exactly}, which no other version reads. ${install(program, needed)}`,
    );
  return { path, version };
}

/** Runs a program on a database. @throws CommandError with what it said */
export async function runOnDatabase(
  { path }: ClientProgram,
  databaseUrl: string,
  args: readonly string[],
): Promise<void> {
  const { url, env } = addressOf(databaseUrl);
  await runProgram(path, [`--dbname=${url}`, '--no-password', ...args], env);
}

/** How a program is told of a database: the password is no argument, as those are shown to all users of the machine. */
export function addressOf(databaseUrl: string): { url: string; env: Record<string, string> } {
  const { url, password } = forPrograms(databaseUrl);
  return { url, env: password ? { PGPASSWORD: password } : {} };
}

/** The last lines say what went wrong. */
const keptCharacters = 2_000;

export async function runProgram(
  path: string,
  args: readonly string[],
  env: Record<string, string> = {},
): Promise<string> {
  const { ended } = startProgram(path, args, env);
  const { code, answer, said } = await ended;
  if (code !== 0) throw new CommandError(`${path} failed:\n${`${said}${answer}`.trim()}`);
  return answer;
}

export interface RunningProgram {
  child: ChildProcess;
  ended: Promise<{ code: number | null; answer: string; said: string }>;
}

/** Starts a program, which ends with this command. */
export function startProgram(
  path: string,
  args: readonly string[],
  env: Record<string, string> = {},
): RunningProgram {
  const child = spawn(path, args, {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...environmentOfPrograms(), ...env },
    detached: true,
  });
  const guard = endWithCommand(child);
  let said = '';
  let answer = '';
  child.stderr.on('data', (text: Buffer) => {
    said = (said + text.toString()).slice(-keptCharacters);
  });
  child.stdout.on('data', (text: Buffer) => {
    answer = (answer + text.toString()).slice(0, keptCharacters);
  });
  const ended = new Promise<number | null>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', resolve);
  })
    .finally(() => guard.release())
    .then((code) => ({ code, answer, said }));
  return { child, ended };
}

/** Settings of the caller, such as PGDATABASE, would mix with those of the URL. */
export const environmentOfPrograms = (): NodeJS.ProcessEnv => ({
  ...Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^PG(?!SSL)/.test(name))),
  LC_ALL: 'C',
});
