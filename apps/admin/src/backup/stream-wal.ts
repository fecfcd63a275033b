import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { databaseIsUnreachable } from '@postrider/core/base/db';
import type { Services } from '@postrider/core/base/kernel';
import {
  readServer,
  readStreaming,
  readSystemId,
  refusalOfCopy,
  reserveWal,
  type StreamingSettings,
} from '@postrider/core/people/installation';
import { CommandError } from '../command.ts';
import { addressOf, type ClientProgram, findProgram, startProgram } from './client-programs.ts';
import { namesIn } from './parts.ts';
import { segmentOf } from './wal.rules.ts';
import { headOf, walFolder } from './wal-folder.ts';

/** The slot keeps WAL on the server until it was received, and the name is that of the stream in `synchronous_standby_names`. */
const streamName = 'postrider_backup';

export interface StreamOptions {
  /** commits can wait for it */
  isSynchronous: boolean;
  /** ends it */
  signal: AbortSignal;
  tell(text: string): void;
}

/** After the server has ended, or the connection to it. */
const againMs = 5_000;

/** What is left where the WAL that follows is gone. */
const goneText = /requested WAL segment (\S+) has already been removed/;

/**
 * Receives all WAL of the server until it is told to end. A server that is away is waited for.
 *
 * @throws CommandError when the server does not allow it, or no longer has the WAL that follows
 */
export async function streamWal(services: Services, folder: string, options: StreamOptions): Promise<void> {
  const { config, database } = services;
  const { signal, tell, isSynchronous } = options;
  const server = await readServer(database);
  const refusal = await refusalOfCopy(server, config.DATABASE_URL);
  if (refusal !== null) throw new CommandError(`The server cannot be streamed: ${refusal}`);
  const program = await findProgram('pg_receivewal', config.PG_BIN, { least: server.version });
  const wal = join(folder, walFolder);
  await mkdir(wal, { recursive: true, mode: 0o700 });
  await assertSameServer(services, wal);
  for (const text of adviceOn(await readStreaming(database), isSynchronous)) tell(text);
  tell(`WAL is written to ${wal}.`);
  while (!signal.aborted) {
    const said = await receive(services, program, wal, options).catch((error: unknown) => {
      if (databaseIsUnreachable(error)) return (error as Error).message;
      throw error;
    });
    if (signal.aborted) return;
    const [, gone] = goneText.exec(said) ?? [];
    if (gone !== undefined)
      throw new CommandError(
        `The server no longer has ${gone}, which follows what is in ${wal}. Move that folder away, start the stream again, and make a base: from the base on, every time can be restored again`,
      );
    tell(`The stream ended, and is begun again in ${againMs / 1000} seconds: ${said.trim()}`);
    await delay(againMs, undefined, { signal }).catch(() => undefined);
  }
}

/** Receives until the connection ends. @returns what the program said */
async function receive(
  { database, config }: Services,
  { path }: ClientProgram,
  wal: string,
  { signal, isSynchronous }: StreamOptions,
): Promise<string> {
  await reserveWal(database, streamName);
  const { url, env } = addressOf(config.DATABASE_URL);
  const args = [
    `--directory=${wal}`,
    `--slot=${streamName}`,
    '--no-loop',
    '--no-password',
    ...(isSynchronous ? ['--synchronous'] : []),
    `--dbname=${url}`,
  ];
  const { child, ended } = startProgram(path, args, { ...env, PGAPPNAME: streamName });
  const end = (): void => void child.kill('SIGINT');
  signal.addEventListener('abort', end);
  if (signal.aborted) end();
  try {
    return (await ended).said;
  } finally {
    signal.removeEventListener('abort', end);
  }
}

async function assertSameServer({ database }: Services, wal: string): Promise<void> {
  const systemId = await readSystemId(database);
  const last = (await namesIn(wal)).findLast((name) => segmentOf(name, 16 * 1024 * 1024) !== null);
  const head = last === undefined ? null : await headOf(join(wal, last));
  if (head && head.systemId !== systemId)
    throw new CommandError(`${wal} has WAL of another server: move it away, or name another folder`);
}

function adviceOn(
  { slotKeepsMb, standbyNames, synchronousCommit }: StreamingSettings,
  isSynchronous: boolean,
): string[] {
  const advice: string[] = [];
  if (slotKeepsMb < 0)
    advice.push(
      "While this does not run, the server keeps all WAL, until its disk is full. Limit it, as a superuser: ALTER SYSTEM SET max_slot_wal_keep_size = '10GB'; SELECT pg_reload_conf();",
    );
  if (!isSynchronous) return advice;
  if (synchronousCommit === 'remote_apply')
    throw new CommandError(
      'synchronous_commit is remote_apply, which a stream never confirms, so that no commit would end: set it to on',
    );
  if (!standbyNames.includes(streamName) && !standbyNames.includes('*'))
    advice.push(
      `Commits do not wait for this stream yet. As a superuser: ALTER SYSTEM SET synchronous_standby_names = '${standbyNames === '' ? streamName : `ANY 1 (…, ${streamName})`}'; SELECT pg_reload_conf(); From then on they also wait while it does not run.`,
    );
  return advice;
}
