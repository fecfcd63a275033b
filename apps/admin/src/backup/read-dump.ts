import { join } from 'node:path';
import type { Services } from '@postrider/core/base/kernel';
import { findProgram, runOnDatabase } from './client-programs.ts';
import { dumpFolder, type Manifest } from './manifest.schema.ts';

/** Writes the dump of a backup into an empty database. Comments of extensions are left out: only a superuser may write them. */
export async function readDump(
  { config }: Pick<Services, 'config'>,
  { path, manifest, url }: { path: string; manifest: Pick<Manifest, 'postgres'>; url: string },
): Promise<void> {
  const program = await findProgram('pg_restore', config.PG_BIN, { least: manifest.postgres });
  await runOnDatabase(program, url, [
    '--exit-on-error',
    '--no-owner',
    '--no-privileges',
    '--no-comments',
    '--jobs=2',
    join(path, dumpFolder),
  ]);
}
