import { spawn } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Connection } from '@temporalio/client';
import { freePort } from './ports.ts';
import { commandOf, isAlive, signal, stopProcess } from './processes.ts';
import { guard, register, unregister } from './registry.ts';
import { temporalBinary } from './temporal-binary.mjs';

export { timeSkippingServer } from './time-skipping-server.ts';

export interface TemporalOptions {
  /** SQLite file that keeps the workflows over a restart; without it they are kept in memory. */
  dbFile?: string;
  /** Default: a free port. */
  port?: number;
  /** Port of Temporal's web page, which is not served by default. */
  uiPort?: number;
  /** Receives the server's own log. Default: beside the database file; no log without one. */
  logFile?: string;
  namespace?: string;
  /** Its dynamic configuration, and further variables of its environment. */
  settings?: Readonly<Record<string, string | number | boolean>>;
  env?: Readonly<Record<string, string>>;
  /** Whether a build leaves a core and the first place to other work; default false. */
  beside?: boolean | undefined;
  /** Aborts the search, download or build of the server. */
  signal?: AbortSignal;
}

export interface Temporal {
  /** `127.0.0.1:port` */
  address: string;
  port: number;
  readonly pid: number;
  /** Resolves when the server has ended, for any reason. */
  readonly ended: Promise<void>;
  stop(): Promise<void>;
  /** SIGKILL. */
  kill(): Promise<void>;
  /** Starts again on the same port and file after `stop` or `kill`. */
  start(): Promise<void>;
  /** Removes all workflows: stops, deletes the file, starts. */
  wipe(): Promise<void>;
}

/** Starts a Temporal development server on loopback and resolves when it accepts calls. */
export async function startTemporal(options: TemporalOptions = {}): Promise<Temporal> {
  const binary = await temporalBinary(options.signal, options.beside);
  const port = options.port ?? (await freePort());
  const address = `127.0.0.1:${port}`;
  const namespace = options.namespace ?? 'default';
  const { dbFile } = options;
  const args = ['server', 'start-dev', '--ip', '127.0.0.1', '--port', String(port), '--log-level', 'error'];
  if (namespace !== 'default') args.push('--namespace', namespace);
  if (dbFile !== undefined) args.push('--db-filename', dbFile);
  if (options.uiPort === undefined) args.push('--headless');
  else args.push('--ui-port', String(options.uiPort), '--ui-ip', '127.0.0.1');

  for (const [name, value] of Object.entries(options.settings ?? {}))
    args.push('--dynamic-config-value', `${name}=${JSON.stringify(value)}`);

  let server: { pid: number; ended: Promise<void> };
  const start = async () => {
    if (dbFile !== undefined) await stopTemporal(dbFile);
    server = await launch({
      binary,
      args,
      address,
      namespace,
      dbFile,
      logFile: options.logFile,
      env: options.env,
    });
  };
  const stop = async () => {
    await stopProcess(server.pid, SHUTDOWN);
    if (dbFile !== undefined) await rm(pidFileOf(dbFile), { force: true });
  };

  await start();
  return {
    address,
    port,
    get pid() {
      return server.pid;
    },
    get ended() {
      return server.ended;
    },
    start,
    stop,
    async kill() {
      signal(server.pid, 'SIGKILL');
      await server.ended;
    },
    async wipe() {
      await stop();
      if (dbFile !== undefined) await removeStore(dbFile);
      await start();
    },
  };
}

/** Stops a server that an earlier process left running on this file, if any. */
export async function stopTemporal(dbFile: string): Promise<void> {
  const pidFile = pidFileOf(dbFile);
  const pid = Number.parseInt(await readFile(pidFile, 'utf8').catch(() => ''), 10);
  // Process ids are reused: only a Temporal process with this file on its command line is the one to stop.
  if (Number.isInteger(pid) && (await isAlive(pid)) && (await commandOf(pid)).includes(dbFile)) {
    await stopProcess(pid, SHUTDOWN);
  }
  await rm(pidFile, { force: true });
}

const SHUTDOWN = [
  ['SIGTERM', 10_000],
  ['SIGKILL', 5_000],
] as const;

async function removeStore(dbFile: string): Promise<void> {
  for (const suffix of ['', '-wal', '-shm', '-journal']) await rm(`${dbFile}${suffix}`, { force: true });
}

function pidFileOf(dbFile: string): string {
  return `${dbFile}.pid`;
}

interface Launch {
  binary: string;
  args: string[];
  address: string;
  namespace: string;
  dbFile: string | undefined;
  logFile: string | undefined;
  env: Readonly<Record<string, string>> | undefined;
}

async function launch({
  binary,
  args,
  address,
  namespace,
  dbFile,
  logFile: givenLog,
  env,
}: Launch): Promise<{ pid: number; ended: Promise<void> }> {
  const logFile = givenLog ?? (dbFile === undefined ? '/dev/null' : `${dbFile}.log`);
  if (dbFile !== undefined) await mkdir(dirname(dbFile), { recursive: true });
  await mkdir(dirname(logFile), { recursive: true });
  const log = openSync(logFile, 'a');
  // In its own process group, so that Ctrl-C in the terminal does not reach it: the worker stops first.
  const child = spawn(binary, args, {
    env: { ...process.env, ...env },
    stdio: ['ignore', log, log],
    detached: true,
  });
  closeSync(log);
  child.unref();
  const ended = new Promise<void>((resolve) => {
    child.once('exit', () => resolve());
    child.once('error', () => resolve());
  });
  const { pid } = child;
  if (pid === undefined) throw new Error(`${binary} cannot be started.`);
  if (dbFile !== undefined) await writeFile(pidFileOf(dbFile), `${pid}\n`);

  const guarded = guard(pid, 'TERM', 3);
  register(pid, 'SIGKILL');
  void ended.then(() => {
    guarded.release();
    unregister(pid);
  });
  const deadline = Date.now() + 60_000;
  while (!(await answers(address, namespace))) {
    const over = child.exitCode !== null || child.signalCode !== null;
    if (over || Date.now() > deadline) {
      signal(pid, 'SIGKILL');
      throw new Error(`The Temporal server did not start; the end of ${logFile}:\n${await tail(logFile)}`);
    }
    await sleep(100);
  }
  return { pid, ended };
}

async function answers(address: string, namespace: string): Promise<boolean> {
  let connection: Connection | undefined;
  try {
    connection = await Connection.connect({ address, connectTimeout: 1_000 });
    await connection.workflowService.describeNamespace({ namespace });
    return true;
  } catch {
    // Not ready yet; the caller retries for a limited time.
    return false;
  } finally {
    await connection?.close();
  }
}

async function tail(file: string): Promise<string> {
  const text = await readFile(file, 'utf8').catch(() => '');
  return text.split('\n').slice(-15).join('\n');
}
