import { randomBytes } from 'node:crypto';
import { access, constants, link, mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { postgresUser, reachableDataDir } from './postgres-user.ts';
import { identityOf } from './processes.ts';

/** Marks a folder as ours, so that a reset of a mistyped DATA_DIR cannot wipe somebody's home. */
const MARKER = 'postrider.json';

export interface DataDir {
  path: string;
  logs: string;
  /** Ids of running processes, for the next start after a kill. */
  pids: string;
  postgres: string;
  temporalDb: string;
  mailbox: string;
  /** Lets the next start wait for the end of this one instead of refusing. */
  announceStop(): Promise<void>;
  /** Gives the folder back to other starts. */
  release(): Promise<void>;
}

/** Makes the folder when needed and locks it. Throws an error in plain words when that is not possible. */
export async function openDataDir(path: string): Promise<DataDir> {
  await prepare(path);
  await lock(path);
  return {
    path,
    logs: join(path, 'logs'),
    pids: join(path, 'pids'),
    postgres: join(path, 'postgres'),
    temporalDb: join(path, 'temporal', 'temporal.db'),
    mailbox: join(path, 'mailbox'),
    async announceStop() {
      // By renaming, so that nobody reads half a lock and takes it for a dead one.
      const draft = join(path, `lock.${process.pid}.stopping`);
      await writeFile(draft, JSON.stringify({ ...(await ownHolder()), stopping: true }));
      await rename(draft, join(path, 'lock'));
    },
    release: () => rm(join(path, 'lock'), { force: true }),
  };
}

/** Removes everything in a locked folder, the lock aside. Refuses a folder that held other files before. */
export async function wipeDataDir({ path, postgres }: DataDir): Promise<void> {
  if (!(await readdir(path)).includes(MARKER)) {
    throw new Error(`DATA_DIR ${path} was not made by Postrider and is not wiped. Empty it by hand.`);
  }
  const relocated = await reachableDataDir(postgres, await postgresUser());
  await rm(relocated, { recursive: true, force: true });
  await rm(`${relocated}.origin`, { force: true });
  for (const name of await readdir(path)) {
    if (name !== 'lock' && name !== MARKER) await rm(join(path, name), { recursive: true, force: true });
  }
}

/** The secret of this installation, made on the first start and readable for its owner only. */
export async function appSecret(path: string): Promise<string> {
  const file = join(path, 'app-secret');
  const found = await readFile(file, 'utf8').catch(() => '');
  if (found.trim().length >= 32) return found.trim();
  const secret = randomBytes(32).toString('base64url');
  await writeFile(file, `${secret}\n`, { mode: 0o600 });
  return secret;
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
  EACCES: 'this user may not read and write it',
  EPERM: 'this user may not read and write it',
  EROFS: 'it lies on a read-only file system',
  EEXIST: 'there is a file of that name',
  ENOTDIR: 'a part of the path is a file',
  ENOSPC: 'the disk is full',
};

function reason(error: unknown): string {
  const { code, message } = error as NodeJS.ErrnoException;
  return (code === undefined ? undefined : REASONS[code]) ?? message;
}

interface Holder {
  pid: number;
  identity: string;
  stopping?: boolean;
}

/** As long as the slowest program may take to stop. */
const STOP_PATIENCE_MS = 40_000;
/** A process killed a moment ago may still be there. */
const KILL_PATIENCE_MS = 1_000;

async function ownHolder(): Promise<Holder> {
  return { pid: process.pid, identity: await identityOf(process.pid) };
}

/**
 * One start per folder. The lock file appears by a hard link, which is atomic; it holds the process id together with the
 * time that process began, so a lock of a process that is gone is taken over even when its id is in use again.
 */
async function lock(path: string): Promise<void> {
  const file = join(path, 'lock');
  const own = join(path, `lock.${process.pid}`);
  await writeFile(own, JSON.stringify(await ownHolder()));
  const began = Date.now();
  try {
    for (let attempt = 0; attempt < 5; attempt++) {
      // After a takeover, another start that saw the same dead lock may have removed ours: look again.
      if ((await linked(own, file)) && (attempt === 0 || (await stillOurs(file)))) return;
      let other = await readHolder(file);
      while (other !== undefined && (await identityOf(other.pid)) === other.identity) {
        if (Date.now() - began > (other.stopping ? STOP_PATIENCE_MS : KILL_PATIENCE_MS)) break;
        await sleep(100);
        other = await readHolder(file);
      }
      if (other !== undefined && (await identityOf(other.pid)) === other.identity) {
        throw new Error(
          `Postrider already runs on DATA_DIR ${path} (process ${other.pid}). ` +
            'Stop it first, or choose another folder with DATA_DIR=<folder>.',
        );
      }
      await rm(file, { force: true });
    }
    throw new Error(`DATA_DIR ${path} cannot be locked: ${file} comes back again and again.`);
  } finally {
    await rm(own, { force: true });
  }
}

async function stillOurs(file: string): Promise<boolean> {
  await sleep(100);
  return (await readHolder(file))?.pid === process.pid;
}

async function linked(own: string, file: string): Promise<boolean> {
  try {
    await link(own, file);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}

async function readHolder(file: string): Promise<Holder | undefined> {
  const text = await readFile(file, 'utf8').catch(() => '');
  try {
    return JSON.parse(text) as Holder;
  } catch {
    // Written by nobody we know; treated as stale.
    return undefined;
  }
}
