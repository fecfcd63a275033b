import { copyFile, mkdir, open, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Services } from '@postrider/core/base/kernel';
import { noteBackup, type Snapshot, serverVersion, withSnapshot } from '@postrider/core/people/installation';
import { version } from '../version.ts';
import { findProgram, runOnDatabase } from './client-programs.ts';
import {
  backupFormat,
  dumpFolder,
  formatVersion,
  type Manifest,
  manifestFile,
  uploadsFolder,
} from './manifest.schema.ts';
import { namesIn, readParts } from './parts.ts';

export interface MadeBackup {
  path: string;
  manifest: Manifest;
}

/**
 * Writes the database and the uploads into a new folder in `folder`, readable only by its owner. The database first: every upload that it
 * names is then there.
 *
 * @throws CommandError when pg_dump is missing, too old, or fails
 */
export async function makeBackup(services: Services, folder: string): Promise<MadeBackup> {
  const made = await writeBackup(services, folder);
  await noteBackup(services.database);
  return made;
}

async function writeBackup(services: Services, folder: string): Promise<MadeBackup> {
  const postgres = await serverVersion(services.database);
  const program = await findProgram('pg_dump', services.config.PG_BIN, postgres);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const path = join(folder, new Date().toISOString().replace(/[:.]/g, '-'));
  await mkdir(path, { mode: 0o700 });
  try {
    const snapshot = await withSnapshot(services.database, async (state) => {
      await runOnDatabase(program, services.config.DATABASE_URL, dumpOf(state, join(path, dumpFolder)));
      return state;
    });
    const files = await copyUploads(uploadsOf(services), join(path, uploadsFolder));
    const manifest = await describe(services, { path, postgres, snapshot, files });
    await writeDurably(join(path, manifestFile), `${JSON.stringify(manifest, null, 2)}\n`);
    return { path, manifest };
  } catch (error) {
    await rm(path, { recursive: true, force: true });
    throw error;
  }
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

async function describe(
  { config, secrets }: Services,
  { path, postgres, snapshot, files }: { path: string; postgres: number; snapshot: Snapshot; files: number },
): Promise<Manifest> {
  return {
    format: backupFormat,
    version: formatVersion,
    product: version,
    schema: snapshot.schema,
    epoch: snapshot.epoch,
    kind: 'dump',
    postgres,
    dataUntil: snapshot.dataUntil.toISOString(),
    secretIds: [...secrets.checks],
    uploads: { files, bucket: config.S3_BUCKET ?? null },
    parts: await readParts(path, [dumpFolder, uploadsFolder]),
  };
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
