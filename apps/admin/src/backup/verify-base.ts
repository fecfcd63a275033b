import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { migrate } from '@postrider/core/base/db';
import type { Services } from '@postrider/core/base/kernel';
import { findFaults } from '@postrider/core/insight/restore';
import { withDatabase } from '@postrider/core/people/installation';
import { findProgram, runProgram } from './client-programs.ts';
import { assertRoom, copyBase } from './copy-base.ts';
import { removeWithCommand } from './end-with-command.ts';
import { type BaseManifest, baseFolder } from './manifest.schema.ts';
import { withOwnServer } from './own-server.ts';
import { giveTo, serverUser } from './server-user.ts';

/**
 * Starts a server on a copy of a base whose files are whole, checks its tables and indexes, and looks for what contradicts itself in them.
 *
 * @returns what does, a sentence each
 * @throws CommandError when a program is missing, or finds something
 */
export async function verifyBase(
  services: Pick<Services, 'config'>,
  path: string,
  manifest: BaseManifest,
): Promise<string[]> {
  const { PG_BIN } = services.config;
  const exactly = { exactly: manifest.postgres };
  const [check, amcheck] = [
    await findProgram('pg_verifybackup', PG_BIN, exactly),
    await findProgram('pg_amcheck', PG_BIN, exactly),
  ];
  await findProgram('pg_waldump', PG_BIN, exactly);
  await findProgram('postgres', PG_BIN, exactly);
  // The hashes are those of the manifest, which was compared with the files already.
  await runProgram(check.path, ['--skip-checksums', '--quiet', join(path, baseFolder)]);
  const user = await serverUser();
  const data = await mkdtemp(join(tmpdir(), 'postrider-verify-'));
  const guard = removeWithCommand(data);
  try {
    const bytes = manifest.parts.reduce((sum, part) => sum + part.bytes, 0);
    await assertRoom(data, bytes, 'Make room, or name another folder with TMPDIR.');
    await giveTo(user, data);
    await copyBase(path, manifest, { data, user });
    const settings = { fsync: 'off', full_page_writes: 'off' };
    return await withOwnServer(services, { manifest, data, user, settings }, async ({ url, environment }) => {
      const args = ['--install-missing', '--jobs=2', '--no-password', manifest.database];
      await runProgram(amcheck.path, args, environment);
      await migrate(url);
      return withDatabase(url, findFaults);
    });
  } finally {
    await rm(data, { recursive: true, force: true });
    guard.release();
  }
}
