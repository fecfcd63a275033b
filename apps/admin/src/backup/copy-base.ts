import { constants } from 'node:fs';
import { chmod, copyFile, mkdir, statfs, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { CommandError } from '../command.ts';
import { type BaseManifest, baseFolder } from './manifest.schema.ts';
import { giveTo, type ServerUser } from './server-user.ts';

/** Folders that a server has though nothing is in them: copies of a backup may have been made by programs that know files only. */
const emptyFolders = [
  ...['pg_commit_ts', 'pg_dynshmem', 'pg_logical/mappings', 'pg_logical/snapshots', 'pg_multixact/members'],
  ...[
    'pg_multixact/offsets',
    'pg_notify',
    'pg_replslot',
    'pg_serial',
    'pg_snapshots',
    'pg_stat',
    'pg_stat_tmp',
  ],
  ...['pg_subtrans', 'pg_tblspc', 'pg_twophase', 'pg_wal/archive_status', 'pg_xact'],
];

/** Written into a base, it has a server recover as from a backup: it begins a timeline, which tells it from the one that was copied. */
const recoverySignal = 'recovery.signal';

/** Copies the files of a base, and no others, into an empty folder of the user whom a server will run as. */
export async function copyBase(
  backup: string,
  { parts }: BaseManifest,
  { data, user }: { data: string; user: ServerUser | undefined },
): Promise<void> {
  const made = new Set<string>(['.']);
  const makeFolder = async (name: string): Promise<void> => {
    if (made.has(name)) return;
    await makeFolder(dirname(name));
    await mkdir(join(data, name), { mode: 0o700 });
    await giveTo(user, join(data, name));
    made.add(name);
  };
  for (const name of emptyFolders) await makeFolder(name);
  for (const name of filesOf(parts.map((part) => part.name))) {
    await makeFolder(dirname(name));
    await copyFile(join(backup, baseFolder, name), join(data, name), constants.COPYFILE_FICLONE);
    await chmod(join(data, name), 0o600);
    await giveTo(user, join(data, name));
  }
  await writeFile(join(data, recoverySignal), '', { mode: 0o600 });
  await giveTo(user, join(data, recoverySignal));
}

/** In a copy of a standby; a server on it would wait for its primary instead of ending its recovery. */
const standbySignal = 'standby.signal';

const filesOf = (names: readonly string[]): string[] =>
  names.flatMap((name) => {
    const file = name.startsWith(`${baseFolder}/`) ? name.slice(baseFolder.length + 1) : standbySignal;
    return file === standbySignal ? [] : file;
  });

/** @throws CommandError when the disk of a folder has less free than is needed */
export async function assertRoom(folder: string, needed: number, advice: string): Promise<void> {
  const { bavail, bsize } = await statfs(folder);
  if (bavail * bsize < needed)
    throw new CommandError(
      `The disk of ${folder} has ${inMegabytes(bavail * bsize)} free, and the backup takes ${inMegabytes(needed)}. ${advice}`,
    );
}

const inMegabytes = (bytes: number): string => `${Math.ceil(bytes / 1_000_000)} MB`;
