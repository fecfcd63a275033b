import { join } from 'node:path';
import { migrate } from '@postrider/core/base/db';
import type { Services } from '@postrider/core/base/kernel';
import { type AppliedRestore, applyRestore, type InFlight } from '@postrider/core/insight/restore';
import { analyze, countLost, readTarget, withDatabase } from '@postrider/core/people/installation';
import { CommandError } from '../command.ts';
import { copyUploads, uploadsOf } from './make-backup.ts';
import { type Manifest, uploadsFolder } from './manifest.schema.ts';
import { assertWhole, lostSecrets, openBackup } from './open-backup.ts';
import { readDump } from './read-dump.ts';
import { restoreBase } from './restore-base.ts';
import { endOfSpan } from './span.ts';

export interface RestoreRequest {
  /** of the backup */
  path: string;
  /** the URL of an empty database for a dump, an empty folder for a base */
  into: string;
  /** of a base with the WAL of a stream: a time that it leads to, or all of it; null: the state of the backup */
  at: Date | 'latest' | null;
  /** the folder of the stream; null: that beside the backup */
  wal: string | null;
  /** until when the old state may have worked on: `now`, a time, or null if it has not since the backup */
  lostUntil: Date | 'now' | null;
  inFlight: InFlight;
  /** goes on without the secrets that are not given */
  isWithoutSecret: boolean;
}

export interface RestoredBackup extends AppliedRestore {
  manifest: Manifest;
  /** how much of what is of no use without the secrets that are not given, by column */
  lost: Awaited<ReturnType<typeof countLost>>;
  dataUntil: Date;
  lostUntil: Date | null;
  /** of the server, if the backup is a base */
  folder: string | null;
}

/**
 * Restores a backup into an empty database or folder, and the uploads beside those that are there.
 *
 * @throws CommandError when the backup is not whole, or the database or folder is not empty or in use
 */
export async function restoreBackup(services: Services, request: RestoreRequest): Promise<RestoredBackup> {
  const { path, into, at } = request;
  const manifest = await openBackup(services, path, request.isWithoutSecret);
  const { kind } = manifest;
  const isUrl = /^postgres(ql)?:\/\//.test(into);
  if (isUrl !== (kind === 'dump'))
    throw new CommandError(
      kind === 'dump'
        ? `${path} is a dump: --into needs the postgres:// URL of an empty database`
        : `${path} is a base, the copy of a whole server: --into needs an empty folder, on which a server is then started`,
    );
  if (kind === 'dump' && at !== null)
    throw new CommandError(`${path} is a dump, which has one state: --at needs a base, and a stream`);
  const restored =
    manifest.kind === 'base'
      ? await restoreBase(services, { ...request, manifest })
      : await restoreDump(services, manifest, request);
  return { ...restored, manifest };
}

async function restoreDump(
  services: Services,
  manifest: Manifest,
  { path, into: url, lostUntil, inFlight }: RestoreRequest,
): Promise<Omit<RestoredBackup, 'manifest'>> {
  const dataUntil = new Date(manifest.dataUntil);
  const target = await withDatabase(url, readTarget);
  assertUsable(target, manifest);
  // By the clock of the database, which the times of its rows are of.
  const until = endOfSpan(lostUntil, target.now, dataUntil);
  await assertWhole(path, manifest);
  await readDump(services, { path, manifest, url });
  await migrate(url);
  await copyUploads(join(path, uploadsFolder), uploadsOf(services));
  const applied = await withDatabase(url, async (database) => {
    await analyze(database);
    const lost = await countLost(database, lostSecrets(manifest, services.secrets));
    return { ...(await applyRestore(database, { dataUntil, lostUntil: until, inFlight })), lost };
  });
  return { ...applied, dataUntil, lostUntil: until, folder: null };
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
