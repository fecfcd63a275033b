import { randomBytes } from 'node:crypto';
import { access, constants, mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';
import { giveUp, tryLock } from './file-lock.ts';
import { isOfProvider } from './mail-provider.ts';
import { postgresUser, reachableDataDir } from './postgres-user.ts';

/** Marks a folder as a data folder, so that a reset with a mistyped DATA_DIR cannot delete a home directory. */
const MARKER = 'postrider.json';
const LOCK = 'lock.db';
const HOLDER = 'lock.json';
/** Files that a reset keeps: the lock must be held while it runs. */
const KEPT = [MARKER, LOCK, HOLDER];

export interface DataDir {
  path: string;
  logs: string;
  /** Ids of running processes, for the next start after a kill. */
  pids: string;
  postgres: string;
  temporalDb: string;
  mailbox: string;
  /** Makes the next start wait for the end of this one instead of failing. */
  announceStop(): Promise<void>;
  /** Releases the folder for other starts. */
  release(): Promise<void>;
}

/** Creates the folder if needed and locks it. Throws an error with the reason when that is not possible. */
export async function openDataDir(path: string): Promise<DataDir> {
  await prepare(path);
  const lockFile = await lock(path);
  return {
    path,
    logs: join(path, 'logs'),
    pids: join(path, 'pids'),
    postgres: join(path, 'postgres'),
    temporalDb: join(path, 'temporal', 'temporal.db'),
    mailbox: join(path, 'mailbox'),
    announceStop: () => writeHolder(path, true),
    async release() {
      if (!giveUp(lockFile)) return;
      await rm(join(path, HOLDER), { force: true });
      lockFile.close();
    },
  };
}

/** Removes everything in a locked folder except for the lock. Refuses a folder that already held other files. */
export async function wipeDataDir({ path, postgres }: DataDir): Promise<void> {
  if (!(await readdir(path)).includes(MARKER)) {
    throw new Error(`DATA_DIR ${path} was not created by Postrider and is not deleted. Empty it manually.`);
  }
  const relocated = await reachableDataDir(postgres, await postgresUser());
  await rm(relocated, { recursive: true, force: true });
  await rm(`${relocated}.origin`, { force: true });
  for (const name of await readdir(path)) {
    if (!KEPT.includes(name)) await rm(join(path, name), { recursive: true, force: true });
  }
}

/** The secret of this installation, created on the first start and readable only by its owner. */
export async function appSecret(path: string): Promise<string> {
  const file = join(path, 'app-secret');
  const found = await readFile(file, 'utf8').catch(() => '');
  if (found.trim().length >= 32) return found.trim();
  const secret = randomBytes(32).toString('base64url');
  await writeFile(file, `${secret}\n`, { mode: 0o600 });
  return secret;
}

/** What `npm run admin` needs to reach the installation; the rest of the caller's environment is not stored. */
const adminVariables = [
  ...['APP_SECRET', 'APP_SECRET_PREVIOUS', 'DATA_DIR', 'DATABASE_URL', 'PORT', 'API_URL', 'DASHBOARD_URL'],
  ...['PLATFORM_FROM', 'TEMPORAL_ADDRESS', 'TEMPORAL_NAMESPACE', 'AWS_REGION'],
];

/** The part of the environment with which a command of `npm run admin` starts as api and worker do. */
export const keptForAdmin = (env: Readonly<Record<string, string>>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(env).filter(([name]) => adminVariables.includes(name) || isOfProvider(name, env)),
  );

/** Stores the environment of the installation for `npm run admin`, readable only by its owner because it contains secrets. */
export async function writeEnvironment(path: string, env: Record<string, string>): Promise<void> {
  const file = join(path, 'environment.json');
  await writeFile(`${file}.new`, `${JSON.stringify(keptForAdmin(env), null, 2)}\n`, { mode: 0o600 });
  await rename(`${file}.new`, file);
}

async function prepare(path: string): Promise<void> {
  try {
    await mkdir(path, { recursive: true });
    await access(path, constants.R_OK | constants.W_OK | constants.X_OK);
    const names = await readdir(path);
    if (names.length > 0) return;
    await writeFile(join(path, MARKER), `${JSON.stringify({ createdAt: new Date().toISOString() })}\n`);
  } catch (error) {
    throw new Error(
      `DATA_DIR ${path} cannot be used: ${reason(error)}. Choose another folder with DATA_DIR=<folder>.`,
      {
        cause: error,
      },
    );
  }
}

const REASONS: Record<string, string> = {
  EACCES: 'this user cannot read and write it',
  EPERM: 'this user cannot read and write it',
  EROFS: 'it is on a read-only file system',
  EEXIST: 'a file with that name exists',
  ENOTDIR: 'a part of the path is a file',
  ENOSPC: 'the disk is full',
};

function reason(error: unknown): string {
  const { code, message } = error as NodeJS.ErrnoException;
  return (code === undefined ? undefined : REASONS[code]) ?? message;
}

/** The holder of the folder, for the error message of other starts. The lock itself is another file. */
interface Holder {
  pid: number;
  stopping: boolean;
}

/** The longest time that a program may take to stop. */
const STOP_PATIENCE_MS = 40_000;
/** A killed process may still exist for a moment. */
const KILL_PATIENCE_MS = 1_000;

/** Admits one start per folder. */
async function lock(path: string): Promise<DatabaseSync> {
  const began = Date.now();
  for (;;) {
    const lockFile = tryLock(join(path, LOCK));
    if (lockFile) {
      await writeHolder(path, false);
      return lockFile;
    }
    const other = await readHolder(path);
    if (Date.now() - began > (other?.stopping ? STOP_PATIENCE_MS : KILL_PATIENCE_MS)) {
      throw new Error(
        `Postrider is already running with DATA_DIR ${path} (process ${other?.pid ?? 'unknown'}). ` +
          'Stop it first, or choose another folder with DATA_DIR=<folder>.',
      );
    }
    await sleep(100);
  }
}

/** Renames a finished file, so that a partly written one is never read. */
async function writeHolder(path: string, stopping: boolean): Promise<void> {
  const draft = join(path, `${HOLDER}.${process.pid}`);
  const holder: Holder = { pid: process.pid, stopping };
  await writeFile(draft, JSON.stringify(holder));
  await rename(draft, join(path, HOLDER));
}

async function readHolder(path: string): Promise<Holder | undefined> {
  const text = await readFile(join(path, HOLDER), 'utf8').catch(() => '');
  try {
    return JSON.parse(text) as Holder;
  } catch {
    // Not written yet, or written by something else: only the lock decides.
    return undefined;
  }
}
