import { copyFile, mkdir, open, rename, rm } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import type { Services } from '@postrider/core/base/kernel';
import {
  findStandby,
  noteBackup,
  readServer,
  refusalOfCopy,
  type Snapshot,
  withDatabase,
  withSnapshot,
} from '@postrider/core/people/installation';
import { CommandError } from '../command.ts';
import { version } from '../version.ts';
import { findProgram, runOnDatabase } from './client-programs.ts';
import { removeWithCommand } from './end-with-command.ts';
import { makeBase, momentOfSource, type Saved, type Saving, type Source } from './make-base.ts';
import { backupFormat, dumpFolder, type Manifest, manifestFile, uploadsFolder } from './manifest.schema.ts';
import { namesIn, readParts } from './parts.ts';

/** `base` copies the files of the server, `dump` reads the database; unset, what the server allows. */
type BackupKind = 'base' | 'dump' | undefined;

export interface BackupOptions {
  kind: BackupKind;
  /** read a standby that `DATABASE_URL` names, so that the primary has less to do */
  fromStandby?: boolean;
  /** called when nothing is in the way of the backup any more */
  beforeSaving?: (() => Promise<void>) | undefined;
}

export interface MadeBackup {
  path: string;
  manifest: Manifest;
  /** why no base was made, where neither kind was asked for */
  refusal: string | null;
}

/**
 * Writes the database and the uploads into a new folder in `folder`, readable only by its owner. The database first: every upload that it
 * names is then there.
 *
 * @throws CommandError when the program is missing, too old, or fails, and when a base was asked for that the server does not allow
 */
export async function makeBackup(
  services: Services,
  folder: string,
  { fromStandby = false, ...options }: BackupOptions,
): Promise<MadeBackup> {
  const { database, config } = services;
  const primary = { url: config.DATABASE_URL, database, isStandby: false };
  if (!fromStandby) return backUp(services, folder, primary, options);
  const url = await findStandby(database, config.DATABASE_URL).catch((error: Error) => {
    throw new CommandError(
      `No standby could be looked for among the servers of DATABASE_URL: ${error.message}`,
    );
  });
  if (url === null)
    throw new CommandError(
      'DATABASE_URL names no standby that can be read: add its host and port after those of the primary, separated by a comma',
    );
  return withDatabase(url, (standby) =>
    backUp(services, folder, { url, database: standby, isStandby: true }, options),
  );
}

async function backUp(
  services: Services,
  folder: string,
  source: Source,
  { kind, beforeSaving }: Omit<BackupOptions, 'fromStandby'>,
): Promise<MadeBackup> {
  const server = await readServer(source.database);
  const refusal = kind === 'dump' ? null : await refusalOfCopy(server, source.url);
  if (kind === 'base' && refusal !== null)
    throw new CommandError(`A base is not possible: ${refusal}. A dump is: --dump`);
  const [name, save] =
    kind === 'dump' || refusal !== null
      ? (['pg_dump', saveDump] as const)
      : (['pg_basebackup', makeBase] as const);
  const program = await findProgram(name, services.config.PG_BIN, { least: server.version });
  await beforeSaving?.();
  const made = await writeBackup(services, folder, (path) =>
    save(services, { source, server, program, path }),
  );
  await noteBackup(services.database);
  return { ...made, refusal };
}

async function writeBackup(
  services: Services,
  folder: string,
  save: (path: string) => Promise<Saved>,
): Promise<Pick<MadeBackup, 'path' | 'manifest'>> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const path = join(folder, new Date().toISOString().replace(/[:.]/g, '-'));
  await mkdir(path, { mode: 0o700 });
  const guard = removeWithCommand(resolve(path));
  try {
    const saved = await save(path);
    const files = await copyUploads(uploadsOf(services), join(path, uploadsFolder));
    const manifest: Manifest = {
      ...saved,
      format: backupFormat,
      product: version,
      secretIds: [...services.secrets.checks],
      uploads: { files, bucket: services.config.S3_BUCKET ?? null },
      parts: [...saved.parts, ...(await readParts(path, [uploadsFolder]))],
    };
    guard.release();
    await writeDurably(join(path, manifestFile), `${JSON.stringify(manifest, null, 2)}\n`);
    return { path, manifest };
  } catch (error) {
    await rm(path, { recursive: true, force: true });
    throw error;
  } finally {
    guard.release();
  }
}

async function saveDump(services: Services, { source, server, program, path }: Saving): Promise<Saved> {
  const moment = await momentOfSource(services, source);
  const { dataUntil, epoch, schema } = await withSnapshot(source.database, async (state) => {
    await runOnDatabase(program, source.url, dumpOf(state, join(path, dumpFolder)));
    return source.isStandby ? { ...state, dataUntil: moment.at } : state;
  });
  const parts = await readParts(path, [dumpFolder]);
  // Versions of before bases read it as well.
  return {
    kind: 'dump',
    version: 1,
    epoch,
    schema,
    postgres: server.version,
    dataUntil: dataUntil.toISOString(),
    parts,
  };
}

/**
 * A restore writes the row of the installation itself, last: a dump that is read back in another way, or in part, has none, and no email leaves
 * that database.
 */
const dumpOf = ({ id }: Snapshot, file: string): string[] => [
  '--format=directory',
  `--file=${file}`,
  '--jobs=2',
  `--snapshot=${id}`,
  '--no-owner',
  '--no-privileges',
  '--exclude-table-data=*."Installation"',
];

/** Where uploads are stored on disk; with S3, those from before it was configured. */
export const uploadsOf = ({ config }: Pick<Services, 'config'>): string =>
  join(config.DATA_DIR, uploadsFolder);

/** Files never change under their names. @returns how many were copied */
export async function copyUploads(from: string, to: string): Promise<number> {
  const names = (await namesIn(from)).filter((name) => !name.endsWith('.part'));
  if (names.length > 0) await mkdir(to, { recursive: true, mode: 0o700 });
  let copied = 0;
  for (const name of names) {
    try {
      await copyFile(join(from, name), join(to, name));
      copied += 1;
    } catch (error) {
      // It was deleted at this moment.
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    }
  }
  return copied;
}

/** On the disk when it returns, whole or not at all. */
export async function writeDurably(path: string, text: string): Promise<void> {
  const partial = `${path}.part`;
  const file = await open(partial, 'w', 0o600);
  try {
    await file.writeFile(text);
    await file.sync();
  } finally {
    await file.close();
  }
  await rename(partial, path);
}
