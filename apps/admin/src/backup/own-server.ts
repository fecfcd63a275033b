import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { databaseIsUnreachable } from '@postrider/core/base/db';
import type { Services } from '@postrider/core/base/kernel';
import { type Recovery, readRecovery, withDatabase } from '@postrider/core/people/installation';
import { CommandError } from '../command.ts';
import { environmentOfPrograms, findProgram } from './client-programs.ts';
import { endWithCommand } from './end-with-command.ts';
import type { BaseManifest } from './manifest.schema.ts';
import { giveTo, type ServerUser } from './server-user.ts';

/** A server that runs on the files of a base. Only this command can connect to it. */
export interface OwnServer {
  /** of the database of the installation, for its user */
  url: string;
  /** for programs, with all rights */
  environment: Record<string, string>;
  recovery: Recovery;
}

export interface OwnServerOptions {
  manifest: BaseManifest;
  /** its files; the server recovers from them first */
  data: string;
  user: ServerUser | undefined;
  /** in place of the server's own */
  settings?: Readonly<Record<string, string>>;
}

/**
 * Runs `work` beside a server on the files of a base, once that has replayed its WAL. It listens on no port: its socket lies in a folder that
 * only its user can enter, so it asks for no password. Configuration in the files of the base is ignored.
 *
 * @throws CommandError when it does not start, with the end of its log
 */
export async function withOwnServer<T>(
  { config }: Pick<Services, 'config'>,
  { manifest, data, user, settings }: OwnServerOptions,
  work: (server: OwnServer) => Promise<T>,
): Promise<T> {
  const { path } = await findProgram('postgres', config.PG_BIN, { exactly: manifest.postgres });
  const runtime = await mkdtemp(join(tmpdir(), 'postrider-server-'));
  const log = join(runtime, 'log');
  try {
    await giveTo(user, runtime);
    await writeFile(join(runtime, 'hba.conf'), 'local all all trust\n');
    for (const empty of ['ident.conf', 'postgresql.conf']) await writeFile(join(runtime, empty), '');
    const child = start(path, ['-D', data, ...flags({ ...ownSettings(runtime), ...settings })], log, user);
    const ended = new Promise<void>((resolve) => {
      child.once('exit', () => resolve());
      child.once('error', () => resolve());
    });
    const guard = endWithCommand(child);
    try {
      const urlOf = (name: string): string =>
        `postgres:///${encodeURIComponent(manifest.database)}?host=${encodeURIComponent(runtime)}&port=5432&user=${encodeURIComponent(name)}`;
      const recovery = await recovered(urlOf(manifest.superuser), child, log);
      const environment = { PGHOST: runtime, PGPORT: '5432', PGUSER: manifest.superuser };
      return await work({ url: urlOf(manifest.role), environment, recovery });
    } finally {
      if (child.exitCode === null && child.signalCode === null) child.kill('SIGINT');
      await ended;
      guard.release();
    }
  } finally {
    await rm(runtime, { recursive: true, force: true });
  }
}

function start(
  path: string,
  args: readonly string[],
  logFile: string,
  user: ServerUser | undefined,
): ChildProcess {
  const log = openSync(logFile, 'a', 0o600);
  try {
    return spawn(path, args, {
      ...user,
      stdio: ['ignore', log, log],
      env: environmentOfPrograms(),
      cwd: '/',
      // Ctrl-C in the terminal is for this command, which ends it.
      detached: true,
    });
  } finally {
    closeSync(log);
  }
}

const flags = (settings: Readonly<Record<string, string>>): string[] =>
  Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);

/** Settings on the command line come before those of every file, also those of ALTER SYSTEM, which lie in the base. */
const ownSettings = (runtime: string): Record<string, string> => ({
  config_file: join(runtime, 'postgresql.conf'),
  hba_file: join(runtime, 'hba.conf'),
  ident_file: join(runtime, 'ident.conf'),
  external_pid_file: '',
  listen_addresses: '',
  unix_socket_directories: runtime,
  unix_socket_permissions: '0700',
  port: '5432',
  ssl: 'off',
  // It must not affect other servers: it archives no WAL, waits for no standby, and runs no extension in the background.
  archive_mode: 'off',
  synchronous_standby_names: '',
  synchronous_commit: 'on',
  max_wal_senders: '0',
  max_replication_slots: '0',
  max_logical_replication_workers: '0',
  shared_preload_libraries: '',
  session_preload_libraries: '',
  local_preload_libraries: '',
  autovacuum: 'off',
  // Recovery takes the WAL that is there, to its end, and begins a timeline.
  hot_standby: 'off',
  restore_command: 'false',
  archive_cleanup_command: '',
  recovery_end_command: '',
  primary_conninfo: '',
  primary_slot_name: '',
  recovery_target: '',
  recovery_target_lsn: '',
  recovery_target_name: '',
  recovery_target_xid: '',
  // The last of them: each that is empty takes away what one before it has set.
  recovery_target_time: '',
  recovery_target_timeline: 'latest',
  recovery_target_action: 'promote',
  recovery_min_apply_delay: '0',
  max_prepared_transactions: '100',
  wal_level: 'replica',
  max_connections: '50',
  max_worker_processes: '8',
  max_locks_per_transaction: '256',
  shared_buffers: '128MB',
  huge_pages: 'off',
  max_wal_size: '4GB',
  fsync: 'on',
  jit: 'off',
  default_transaction_read_only: 'off',
  default_tablespace: '',
  temp_tablespaces: '',
  logging_collector: 'off',
  log_destination: 'stderr',
  log_min_messages: 'warning',
  log_statement: 'none',
  log_timezone: 'UTC',
  lc_messages: 'C',
  restart_after_crash: 'off',
});

const againMs = 100;

/** Resolves when the server takes writes. However long recovery takes, it goes on while the server lives. */
async function recovered(url: string, child: ChildProcess, log: string): Promise<Recovery> {
  for (;;) {
    if (child.exitCode !== null || child.signalCode !== null || child.pid === undefined)
      throw new CommandError(`PostgreSQL did not start on the files of the backup:\n${await endOf(log)}`);
    const recovery = await withDatabase(url, readRecovery).catch((error: unknown) => {
      // Until recovery has ended, its socket does not exist or it refuses connections.
      if (databaseIsUnreachable(error) || (error as { code?: unknown }).code === 'ENOENT') return null;
      throw error;
    });
    if (recovery?.isOver) return recovery;
    await delay(againMs);
  }
}

const endOf = async (log: string): Promise<string> =>
  (await readFile(log, 'utf8').catch(() => '')).trim().split('\n').slice(-15).join('\n');
