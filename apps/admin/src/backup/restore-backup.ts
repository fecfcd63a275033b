import { join } from 'node:path';
import { migrate } from '@postrider/core/base/db';
import type { Services } from '@postrider/core/base/kernel';
import { type AppliedRestore, applyRestore, type InFlight } from '@postrider/core/insight/restore';
import { analyze, readTarget, withDatabase } from '@postrider/core/people/installation';
import { CommandError } from '../command.ts';
import { copyUploads, uploadsOf } from './make-backup.ts';
import { type Manifest, uploadsFolder } from './manifest.schema.ts';
import { openBackup } from './open-backup.ts';
import { readDump } from './read-dump.ts';

export interface RestoreRequest {
  /** of the backup */
  path: string;
  /** of the empty database */
  url: string;
  /** until when the old state may have worked on: `now`, a time, or null if it has not since the backup */
  lostUntil: Date | 'now' | null;
  inFlight: InFlight;
}

export interface RestoredBackup extends AppliedRestore {
  manifest: Manifest;
  lostUntil: Date | null;
}

/**
 * Restores a backup into an empty database, and the uploads beside those that are there.
 *
 * @throws CommandError when the backup is not whole, or the database is not empty or in use
 */
export async function restoreBackup(
  services: Services,
  { path, url, lostUntil, inFlight }: RestoreRequest,
): Promise<RestoredBackup> {
  const manifest = await openBackup(services, path);
  const dataUntil = new Date(manifest.dataUntil);
  const target = await withDatabase(url, readTarget);
  assertUsable(target, manifest);
  // By the clock of the database, which the times of its rows are of.
  const until = lostUntil === 'now' ? target.now : lostUntil;
  if (until && until < dataUntil)
    throw new CommandError(`--lost-until is before the time of the data, which is ${manifest.dataUntil}`);
  await readDump(services, { path, manifest, url });
  await migrate(url);
  await copyUploads(join(path, uploadsFolder), uploadsOf(services));
  const applied = await withDatabase(url, async (database) => {
    await analyze(database);
    return applyRestore(database, { dataUntil, lostUntil: until, inFlight });
  });
  return { ...applied, manifest, lostUntil: until };
}

function assertUsable(
  { tables, others, version }: Awaited<ReturnType<typeof readTarget>>,
  { postgres }: Manifest,
): void {
  if (tables > 0)
    throw new CommandError(
      `The database of --into has ${tables} tables, views or sequences: a backup is restored into an empty one`,
    );
  if (others > 0)
    throw new CommandError(
      `${others} other sessions are connected to the database of --into: end them first`,
    );
  if (version < postgres)
    throw new CommandError(
      `The backup is of PostgreSQL ${postgres}, and the server of --into is ${version}: use a newer one`,
    );
}
