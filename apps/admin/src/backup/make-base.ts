import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Services } from '@postrider/core/base/kernel';
import {
  readInstalledState,
  readWalMoment,
  type ServerFacts,
  type WalMoment,
} from '@postrider/core/people/installation';
import { z } from 'zod';
import { CommandError } from '../command.ts';
import { type ClientProgram, runOnDatabase } from './client-programs.ts';
import { type BaseManifest, baseFolder, formatVersion, type Manifest, type Part } from './manifest.schema.ts';
import { namesIn, readPart, readParts } from './parts.ts';
import { lastBefore } from './wal.rules.ts';

/** Of pg_basebackup: every file of the base but its WAL, with the hashes that it calculated while it wrote them. */
export const baseManifestFile = 'backup_manifest';

const baseManifest = z.object({
  Files: z.array(
    z.object({
      Path: z.string(),
      Size: z.int(),
      'Checksum-Algorithm': z.literal('SHA256'),
      Checksum: z.string(),
    }),
  ),
  'WAL-Ranges': z.array(z.object({ Timeline: z.int(), 'End-LSN': z.string() })).min(1),
});

/** What a backup is made of, and where. */
export interface Saving {
  server: ServerFacts;
  program: ClientProgram;
  /** of the backup */
  path: string;
}

/** The server or the database, saved in the folder of a backup. */
export type Saved = Distributed<Manifest>;
type Distributed<M> = M extends Manifest ? Omit<M, 'format' | 'product' | 'secretIds' | 'uploads'> : never;

/** How often it is looked how far the WAL is: the time of the data is known as exactly. */
const everyMs = 1_000;

/**
 * Copies the files of the server, with the WAL that was written meanwhile.
 *
 * @throws CommandError when pg_basebackup fails
 */
export async function makeBase(
  { config, database }: Services,
  { server, program, path }: Saving,
): Promise<Saved> {
  const moments: WalMoment[] = [await readWalMoment(database)];
  const timer = setInterval(() => {
    // A server that is away is the concern of pg_basebackup.
    readWalMoment(database).then(
      (moment) => moments.push(moment),
      () => undefined,
    );
  }, everyMs);
  try {
    await runOnDatabase(program, config.DATABASE_URL, [
      `--pgdata=${join(path, baseFolder)}`,
      '--format=plain',
      '--wal-method=stream',
      '--checkpoint=fast',
      '--manifest-checksums=SHA256',
      '--label=postrider',
    ]);
  } finally {
    clearInterval(timer);
  }
  const links = await namesIn(join(path, baseFolder, 'pg_tblspc'));
  if (links.length > 0)
    throw new CommandError(
      'A tablespace was made while the server was copied, and the copy does not have it: drop it, and make the backup again',
    );
  const { files, end } = await readBaseManifest(path);
  const moment = lastBefore(moments, end.lsn);
  if (!moment) throw new Error('the copy ends before it began');
  const { systemId, epoch, schema } = await readInstalledState(database);
  return {
    kind: 'base',
    version: formatVersion,
    epoch,
    schema,
    postgres: server.version,
    dataUntil: moment.at.toISOString(),
    systemId,
    ...end,
    database: server.database,
    role: server.role,
    superuser: server.superuser,
    parts: [
      ...files,
      await readPart(path, `${baseFolder}/${baseManifestFile}`),
      ...(await readParts(path, [`${baseFolder}/pg_wal`])),
    ],
  };
}

async function readBaseManifest(
  path: string,
): Promise<{ files: Part[]; end: Pick<BaseManifest, 'timeline' | 'lsn'> }> {
  const text = await readFile(join(path, baseFolder, baseManifestFile), 'utf8');
  const { Files, 'WAL-Ranges': ranges } = baseManifest.parse(JSON.parse(text));
  const last = ranges.toSorted((one, other) => one.Timeline - other.Timeline).at(-1);
  if (!last) throw new Error('the copy has no WAL');
  return {
    files: Files.map(({ Path, Size, Checksum }) => ({
      name: `${baseFolder}/${Path}`,
      bytes: Size,
      sha256: Checksum,
    })),
    end: { timeline: last.Timeline, lsn: last['End-LSN'] },
  };
}
