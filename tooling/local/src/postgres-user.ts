import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { access, chmod, cp, mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** For files that the unprivileged user must reach when the repository is in a private folder such as /root. */
const SHARED_ROOT = '/var/lib/postrider';

export interface SystemUser {
  uid: number;
  gid: number;
}

/**
 * PostgreSQL refuses to run as root, so root starts it as the user `postgres`, created if it does not exist.
 * Undefined for other users, who run it themselves.
 */
export async function postgresUser(): Promise<SystemUser | undefined> {
  if (process.getuid?.() !== 0) return undefined;
  return (await lookUp()) ?? (await create());
}

/**
 * The directory to use for a cluster: the given one, or, if the user cannot enter a parent of it (such as /root),
 * one below /var/lib/postrider that is always the same for the same given directory.
 */
export async function reachableDataDir(dataDir: string, user: SystemUser | undefined): Promise<string> {
  const wanted = resolve(dataDir);
  if (user === undefined || (await isReachable(dirname(wanted), user))) return wanted;
  return join(SHARED_ROOT, 'data', createHash('sha256').update(wanted).digest('hex').slice(0, 16));
}

/**
 * Records the folder that a relocated cluster belongs to, and removes clusters of temporary folders that no longer
 * exist: each test deletes its own folder and would leave 40 MB here. Others are kept, since their disk may only be
 * unmounted.
 */
export async function noteRelocation(wanted: string, relocated: string): Promise<void> {
  if (resolve(wanted) === relocated) return;
  await mkdir(dirname(relocated), { recursive: true });
  for (const name of await readdir(dirname(relocated))) {
    if (!name.endsWith('.origin')) continue;
    const note = join(dirname(relocated), name);
    const origin = await readFile(note, 'utf8').catch(() => '');
    if (!origin.startsWith(`${tmpdir()}/`) || (await exists(dirname(origin)))) continue;
    await rm(note.replace(/\.origin$/, ''), { recursive: true, force: true });
    await rm(note, { force: true });
  }
  await writeFile(`${relocated}.origin`, resolve(wanted));
}

/** The root folder of the binaries (with bin, lib and share), or a copy of it if the user cannot reach it, made once. */
export async function reachableBinaries(
  root: string,
  version: string,
  user: SystemUser | undefined,
): Promise<string> {
  if (user === undefined || (await isReachable(root, user))) return root;
  const copy = join(SHARED_ROOT, `postgres-${version}`);
  if (await exists(copy)) return copy;
  const partial = `${copy}.${process.pid}`;
  await mkdir(SHARED_ROOT, { recursive: true, mode: 0o755 });
  await cp(root, partial, { recursive: true, verbatimSymlinks: true });
  try {
    await rename(partial, copy);
  } catch (error) {
    await rm(partial, { recursive: true, force: true });
    // Another start was faster; its copy is the same.
    if (!(await exists(copy))) throw error;
  }
  await chmod(copy, 0o755);
  return copy;
}

async function isReachable(folder: string, user: SystemUser): Promise<boolean> {
  for (let current = folder; ; current = dirname(current)) {
    const found = await stat(current).catch(() => undefined);
    // A folder that does not exist yet will be created with the default mode, which lets all users enter.
    if (found !== undefined) {
      const bit = found.uid === user.uid ? 0o100 : found.gid === user.gid ? 0o010 : 0o001;
      if ((found.mode & bit) === 0) return false;
    }
    if (current === dirname(current)) return true;
  }
}

async function lookUp(): Promise<SystemUser | undefined> {
  try {
    const uid = await run('id', ['-u', 'postgres']);
    const gid = await run('id', ['-g', 'postgres']);
    return { uid: Number(uid.stdout), gid: Number(gid.stdout) };
  } catch {
    // `id` exits with 1 for an unknown user.
    return undefined;
  }
}

async function create(): Promise<SystemUser> {
  try {
    await run('useradd', ['--system', '--user-group', '--no-create-home', 'postgres']);
  } catch (error) {
    const created = await lookUp();
    if (created !== undefined) return created;
    throw new Error(
      'PostgreSQL does not run as root, and creating the user "postgres" for it failed. ' +
        'Start as another user, or set DATABASE_URL to an existing PostgreSQL server.',
      { cause: error },
    );
  }
  const created = await lookUp();
  if (created === undefined) throw new Error('The user "postgres" was created but cannot be found.');
  return created;
}

async function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}
