import { chmod, lstat, mkdir, open, readdir, realpath, rename, rm, rmdir } from 'node:fs/promises';
import { dirname, join, relative, resolve } from 'node:path';
import { migrate } from '@postrider/core/base/db';
import type { Services } from '@postrider/core/base/kernel';
import { type AppliedRestore, applyRestore, type InFlight } from '@postrider/core/insight/restore';
import { countLost, type Recovery, withDatabase } from '@postrider/core/people/installation';
import { CommandError } from '../command.ts';
import { findProgram } from './client-programs.ts';
import { assertRoom, copyBase } from './copy-base.ts';
import { removeWithCommand } from './end-with-command.ts';
import { copyUploads, uploadsOf } from './make-backup.ts';
import { type BaseManifest, uploadsFolder } from './manifest.schema.ts';
import { assertWhole, lostSecrets } from './open-backup.ts';
import { withOwnServer } from './own-server.ts';
import { giveTo, type ServerUser, serverUser } from './server-user.ts';
import { endOfSpan } from './span.ts';
import { copyHistory, copyWal, findWal, type StreamedWal, walBeside } from './wal-folder.ts';

export interface BaseRequest {
  /** of the backup */
  path: string;
  manifest: BaseManifest;
  /** of the server; it is empty, or does not exist */
  into: string;
  /** a time that the WAL of a stream leads to, or all of it; null: the state of the base */
  at: Date | 'latest' | null;
  /** the folder of the stream; null: that beside the backup */
  wal: string | null;
  lostUntil: Date | 'now' | null;
  inFlight: InFlight;
}

export interface RestoredBase extends AppliedRestore {
  lost: Awaited<ReturnType<typeof countLost>>;
  dataUntil: Date;
  lostUntil: Date | null;
  folder: string;
}

/** Until everything is done, the files lie in a folder within the one that was named: no server starts on that, whatever happens. */
const unfinishedFolder = 'unfinished';

/** Without this file PostgreSQL takes a folder for none of a server. */
const versionFile = 'PG_VERSION';

/**
 * Restores a base into an empty folder, on which a server of PostgreSQL can then be started.
 *
 * @throws CommandError when a program is missing, the folder is of no use, or the server does not start
 */
export async function restoreBase(
  services: Services,
  { path, manifest, into, at, wal: given, lostUntil, inFlight }: BaseRequest,
): Promise<RestoredBase> {
  const baseUntil = new Date(manifest.dataUntil);
  if (at instanceof Date && at < baseUntil)
    throw new CommandError(
      `--at is before the time of the data, which is ${manifest.dataUntil}: name an earlier backup`,
    );
  endOfSpan(lostUntil, new Date(), at instanceof Date ? at : baseUntil);
  await findProgram('postgres', services.config.PG_BIN, { exactly: manifest.postgres });
  const user = await serverUser();
  const folder = await prepareFolder(into, path);
  const walPath = given ?? walBeside(path);
  const wal = at === null ? null : await findWal(walPath, manifest);
  if (at === 'latest' && wal?.missing)
    throw new CommandError(
      `${join(walPath, wal.missing)} is missing, and later WAL is there: name a time before it with --at`,
    );
  const bytes = manifest.parts.reduce((sum, part) => sum + part.bytes, wal?.bytes ?? 0);
  await assertRoom(folder, bytes, 'Make room, or name a folder on another disk with --into.');
  const data = join(folder, unfinishedFolder);
  await assertWhole(path, manifest);
  // The folder above as well, so that the server reaches its own.
  await makePrivate(folder, user);
  await mkdir(data, { mode: 0o700 });
  await giveTo(user, data);
  const guard = removeWithCommand(data);
  try {
    await copyBase(path, manifest, { data, user });
    await copyHistory(walPath, data, user);
    if (wal) await copyWal(wal, data, user);
    const settings = settingsFor(at);
    const restored = await withOwnServer(services, { manifest, data, user, settings }, async (server) => {
      const { url, recovery } = server;
      const dataUntil = timeOf(at, recovery, baseUntil);
      const until = endOfSpan(lostUntil, recovery.now, dataUntil);
      await migrate(url);
      await copyUploads(join(path, uploadsFolder), uploadsOf(services));
      const applied = await withDatabase(url, async (database) => {
        const lost = await countLost(database, lostSecrets(manifest, services.secrets));
        return { ...(await applyRestore(database, { dataUntil, lostUntil: until, inFlight })), lost };
      });
      return { ...applied, lostUntil: until, folder, dataUntil };
    });
    guard.release();
    await moveUp(data, folder);
    return restored;
  } catch (error) {
    await rm(data, { recursive: true, force: true });
    throw wal && error instanceof CommandError ? (endedEarly(error, wal) ?? error) : error;
  } finally {
    guard.release();
  }
}

/** Without a time the timeline of the base is followed to the end of its own WAL; with one, the last of those that begin with it. */
const settingsFor = (at: BaseRequest['at']): Record<string, string> => ({
  recovery_target_timeline: at === null ? 'current' : 'latest',
  // With its zone as a number: names of zones are not known yet when it is read.
  ...(at instanceof Date && { recovery_target_time: at.toISOString().replace('Z', '+00') }),
});

/** What was committed before this time is there. */
function timeOf(at: BaseRequest['at'], { lastCommit }: Recovery, baseUntil: Date): Date {
  if (at instanceof Date) return at;
  return at === 'latest' && lastCommit && lastCommit > baseUntil ? lastCommit : baseUntil;
}

/** PostgreSQL does not start when its WAL ends before the time that it was to recover to. */
function endedEarly({ message }: CommandError, { folder, missing }: StreamedWal): CommandError | null {
  if (!message.includes('recovery ended before configured recovery target was reached')) return null;
  const last = /last completed transaction was at log time (.+)/.exec(message)?.[1];
  return new CommandError(
    `The WAL in ${folder} ends before --at: ${last ? `its last commit is of ${last}` : 'it has no commit'}${missing === null ? '. With --at latest all of it is restored' : `, and ${missing} is missing, which follows`}`,
  );
}

/** @returns the folder itself, where it was named by a link. @throws CommandError when something is in it */
async function prepareFolder(into: string, backup: string): Promise<string> {
  const inBackup = `${into} lies in the backup: name a folder elsewhere with --into`;
  if (isWithin(resolve(backup), resolve(into))) throw new CommandError(inBackup);
  const found = await lstat(into).catch(() => null);
  if (!found) await mkdir(into, { recursive: true, mode: 0o700 });
  const folder = await realpath(into).catch(() => null);
  if (folder === null)
    throw new CommandError(`${into} is a link that leads nowhere: name a folder with --into`);
  const names = await readdir(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOTDIR') throw new CommandError(`${into} is a file: name a folder with --into`);
    throw error;
  });
  if (names.includes(unfinishedFolder))
    throw new CommandError(
      `${into} has the folder ${unfinishedFolder} of a restore that did not end: make sure that none runs, empty ${into}, and begin again`,
    );
  if (names.length > 0)
    throw new CommandError(
      `${into} is not empty (${names.slice(0, 3).join(', ')}): a base is restored into an empty folder`,
    );
  if (isWithin(await realpath(backup), folder)) throw new CommandError(inBackup);
  return folder;
}

const isWithin = (outer: string, inner: string): boolean => !relative(outer, inner).startsWith('..');

async function makePrivate(folder: string, user: ServerUser | undefined): Promise<void> {
  await chmod(folder, 0o700);
  await giveTo(user, folder);
}

/** The last step makes a server of it: the file without which PostgreSQL does not start on a folder. */
async function moveUp(data: string, folder: string): Promise<void> {
  await rm(join(data, 'postmaster.opts'), { force: true });
  const names = (await readdir(data)).filter((name) => name !== versionFile);
  for (const name of [...names, versionFile]) await rename(join(data, name), join(folder, name));
  await rmdir(data);
  for (const changed of [folder, dirname(folder)]) await syncFolder(changed);
}

async function syncFolder(path: string): Promise<void> {
  const handle = await open(path, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
