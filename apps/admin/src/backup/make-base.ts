import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Database } from '@postrider/core/base/db';
import type { Services } from '@postrider/core/base/kernel';
import {
  readInstalledState,
  readWalMoment,
  type ServerFacts,
  untilReplayed,
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

/** A server that is read for a backup: the primary, or a standby, which has everything a little later. */
export interface Source {
  url: string;
  database: Database;
  isStandby: boolean;
}

/** What a backup is made of, and where. */
export interface Saving {
  source: Source;
  /** of the source */
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
/** How far a standby may be behind when it is read, in time. */
const replayedMs = 60_000;

/**
 * When this is over, the source has what was committed before the moment that is returned.
 *
 * @throws CommandError when a standby is too far behind
 */
export async function momentOfSource({ database }: Services, source: Source): Promise<WalMoment> {
  const moment = await readWalMoment(database);
  if (!source.isStandby) return moment;
  const missing = await untilReplayed(source.database, moment, replayedMs);
  if (missing > 0)
    throw new CommandError(
      `The standby does not have yet what the primary had written ${replayedMs / 1_000} seconds ago (${missing} bytes of WAL are missing): look at pg_stat_replication on the primary, or make the backup without --from-standby`,
    );
  return moment;
}

/**
 * Copies the files of the server, with the WAL that was written meanwhile.
 *
 * @throws CommandError when pg_basebackup fails
 */
export async function makeBase(
  services: Services,
  { source, server, program, path }: Saving,
): Promise<Saved> {
  const { database } = services;
  const moments: WalMoment[] = [await momentOfSource(services, source)];
  const timer = setInterval(() => {
    // A server that is away is the concern of pg_basebackup.
    readWalMoment(database).then(
      (moment) => moments.push(moment),
      () => undefined,
    );
  }, everyMs);
  try {
    await runOnDatabase(program, source.url, [
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
