import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { migrate } from '@postrider/core/base/db';
import type { Services } from '@postrider/core/base/kernel';
import { findFaults } from '@postrider/core/insight/restore';
import { serverVersion, withDatabase, withScratchDatabase } from '@postrider/core/people/installation';
import { CommandError } from '../command.ts';
import { version } from '../version.ts';
import { writeDurably } from './make-backup.ts';
import { type Manifest, verifiedFile } from './manifest.schema.ts';
import { assertWhole, openBackup } from './open-backup.ts';
import { readDump } from './read-dump.ts';
import { verifyBase } from './verify-base.ts';

/**
 * Checks the files of a backup, restores a dump into a database of its own on the server of the installation and starts a server of its own on a base,
 * and looks for what contradicts itself there.
 *
 * @throws CommandError naming everything that is wrong
 */
export async function verifyBackup(services: Services, path: string): Promise<void> {
  const manifest = await openBackup(services, path);
  // What was whole once may be damaged by now: the last verification counts.
  await rm(join(path, verifiedFile), { force: true });
  await assertWhole(path, manifest);
  const faults =
    manifest.kind === 'base'
      ? await verifyBase(services, path, manifest)
      : await verifyDump(services, path, manifest);
  if (faults.length > 0)
    throw new CommandError(`${path} contradicts itself:\n${faults.map((line) => `  - ${line}`).join('\n')}`);
  await writeDurably(
    join(path, verifiedFile),
    `${JSON.stringify({ at: new Date().toISOString(), product: version })}\n`,
  );
}

async function verifyDump(services: Services, path: string, manifest: Manifest): Promise<string[]> {
  const { database, config } = services;
  const server = await serverVersion(database);
  if (server < manifest.postgres)
    throw new CommandError(
      `${path} is of PostgreSQL ${manifest.postgres}, and the server of DATABASE_URL is ${server}: verify it on a newer one`,
    );
  return withScratchDatabase(database, config.DATABASE_URL, async (url) => {
    await readDump(services, { path, manifest, url });
    await migrate(url);
    return withDatabase(url, findFaults);
  });
}
