import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync } from 'node:fs';
import { mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { identityOf, isAlive, signal, waitForExit } from './processes.ts';
import { register, unregister } from './registry.ts';
import { strippedFlags } from './stripped-flags.ts';

export interface ServiceOptions {
  name: string;
  /** The program, a TypeScript file that Node runs directly. It calls `process.send({ type: 'ready' })` when it is ready. */
  entry: string;
  env: Record<string, string>;
  /** The checkout that the program belongs to; default this one. */
  root?: string | undefined;
  /** Further flags of Node. */
  flags?: readonly string[] | undefined;
  /** Folder for the program's output. */
  logs: string;
  /** Folder that keeps its process id for the next start. */
  pids: string;
  /** Whether a worker that sends email counts as ready, before it has connected to Temporal; default false. */
  readyWithoutEngine?: boolean | undefined;
  onEvent(line: string): void;
}

/** A supervised program: when it ends unexpectedly, it is restarted, with increasing pauses. */
export interface Service {
  name: string;
  logFile: string;
  /** Undefined while it is down. */
  readonly pid: number | undefined;
  /** How often it was restarted after ending unexpectedly. */
  readonly restarts: number;
  /** With which code its last process ended: null if a signal ended it, undefined if none has ended. */
  readonly lastCode: number | null | undefined;
  /** Starts it and resolves when it is ready; throws with the end of its output if it ends before. */
  start(): Promise<void>;
  /** Resolves when it is ready, also after a restart. */
  ready(): Promise<void>;
  /** Signals only the program, not the processes that it has started. */
  signal(name: NodeJS.Signals): void;
  /** SIGKILL to the program and everything it has started; it is then restarted. */
  kill(): Promise<void>;
  /** SIGTERM, then SIGKILL after 30 seconds; it stays down. */
  stop(): Promise<void>;
}

const PAUSES_MS = [250, 1_000, 2_000, 5_000, 10_000];
const STABLE_MS = 60_000;
/** A small machine that also builds, tests or restarts other services needs more than a minute. */
const READY_MS = 180_000;
const PATIENCE_MS = 30_000;
const MAX_LOG_BYTES = 20_000_000;
const PRELOAD = fileURLToPath(new URL('./exit-with-parent.ts', import.meta.url));

export function createService(options: ServiceOptions): Service {
  const logFile = join(options.logs, `${options.name}.log`);
  const pidFile = join(options.pids, `${options.name}.json`);
  let child: ChildProcess | undefined;
  let lastCode: number | null | undefined;
  let wanted = false;
  let failures = 0;
  let restarts = 0;
  let up = Promise.withResolvers<void>();

  const launch = async (): Promise<void> => {
    up = Promise.withResolvers<void>();
    // Callers of `ready` get a failure; without one it must not be an unhandled rejection.
    up.promise.catch(() => undefined);
    await mkdir(dirname(logFile), { recursive: true });
    await turnOver(logFile);
    const log = openSync(logFile, 'a');
    const started = spawn(
      process.execPath,
      [
        '--disable-warning=ExperimentalWarning',
        ...(options.flags ?? []),
        ...[...strippedFlags(options.root), '--import', PRELOAD],
        options.entry,
      ],
      // In its own process group: Ctrl-C in a terminal reaches only the supervisor, which stops everything in order.
      { env: options.env, stdio: ['ignore', log, log, 'ipc'], detached: true },
    );
    closeSync(log);
    child = started;
    const began = Date.now();
    const { pid } = started;
    if (pid !== undefined) register(-pid, 'SIGKILL');
    started.on('message', (message: { type?: string }) => {
      if (message.type === 'ready' || (options.readyWithoutEngine && message.type === 'sending'))
        up.resolve();
    });
    started.once('error', (error) => up.reject(error));
    started.once('exit', (code, name) => {
      if (child === started) child = undefined;
      lastCode = code;
      if (pid !== undefined) unregister(-pid);
      up.reject(new Error(`${options.name} ended (${name ?? `code ${code}`}) before it was ready.`));
      if (!wanted) return;
      failures = Date.now() - began > STABLE_MS ? 0 : failures + 1;
      comeBack(`${name ?? `code ${code}`}`);
    });
    // After its end is listened for: a program that is killed meanwhile is restarted, too.
    if (pid !== undefined) await remember(pidFile, pid);
  };

  const comeBack = (reason: string) => {
    const pause = PAUSES_MS[Math.min(failures - 1, PAUSES_MS.length - 1)] ?? 250;
    options.onEvent(`${options.name} ended (${reason}). Restarting it in ${pause / 1000} s. Log: ${logFile}`);
    setTimeout(() => {
      if (!wanted || child) return;
      restarts++;
      launch().catch((error: unknown) =>
        options.onEvent(`${options.name} cannot be started: ${String(error)}`),
      );
    }, pause);
  };

  const service: Service = {
    name: options.name,
    logFile,
    get pid() {
      return child?.pid;
    },
    get restarts() {
      return restarts;
    },
    get lastCode() {
      return lastCode;
    },
    async start() {
      if (wanted) return service.ready();
      await launch();
      try {
        await withTimeout(up.promise, READY_MS, `${options.name} is not ready after three minutes.`);
      } catch (error) {
        const message = error instanceof Error ? error.message : String(error);
        await service.stop();
        throw new Error(`${message}\nThe end of ${logFile}:\n${await tail(logFile)}`);
      }
      wanted = true;
      if (!child) comeBack('right after it was ready');
    },
    async ready() {
      while (wanted) {
        const current = up.promise;
        if (child) {
          const isUp = await current.then(
            () => true,
            () => false,
          );
          if (isUp && child) return;
        }
        await sleep(50);
      }
      throw new Error(`${options.name} is stopped.`);
    },
    signal(name) {
      if (child?.pid !== undefined) signal(child.pid, name);
    },
    async kill() {
      if (child?.pid === undefined) return;
      const ended = once(child, 'exit');
      signal(-child.pid, 'SIGKILL');
      await ended;
    },
    async stop() {
      wanted = false;
      if (child?.pid !== undefined) {
        const ended = once(child, 'exit');
        await end(child.pid, PATIENCE_MS);
        await ended;
      }
      await rm(pidFile, { force: true });
    },
  };
  return service;
}

/** Ends programs that an earlier, killed supervisor left behind, and waits until their ports are free again. */
export async function stopLeftovers(pids: string): Promise<void> {
  for (const name of await readdir(pids).catch(() => [])) {
    const file = join(pids, name);
    const { pid, identity } = JSON.parse(await readFile(file, 'utf8')) as { pid: number; identity: string };
    if (identity !== '' && (await identityOf(pid)) === identity) await end(pid, 5_000);
    await rm(file, { force: true });
  }
}

async function remember(file: string, pid: number): Promise<void> {
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, JSON.stringify({ pid, identity: await identityOf(pid) }));
}

async function end(pid: number, patienceMs: number): Promise<void> {
  signal(pid, 'SIGTERM');
  // A process stopped by SIGSTOP handles no signal until it continues.
  signal(pid, 'SIGCONT');
  await waitForExit(pid, patienceMs);
  // Processes that it has started share its group and must end too.
  if (await groupIsAlive(pid)) signal(-pid, 'SIGKILL');
  if (!(await waitForExit(pid, 5_000))) throw new Error(`Process ${pid} does not end.`);
}

async function groupIsAlive(pid: number): Promise<boolean> {
  try {
    process.kill(-pid, 0);
    return true;
  } catch {
    return isAlive(pid);
  }
}

async function turnOver(file: string): Promise<void> {
  const found = await stat(file).catch(() => undefined);
  if (found && found.size > MAX_LOG_BYTES) await rename(file, `${file}.old`);
}

async function withTimeout<T>(promise: Promise<T>, ms: number, message: string): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error(message)), ms);
  });
  try {
    return await Promise.race([promise, late]);
  } finally {
    clearTimeout(timer);
  }
}

async function tail(file: string): Promise<string> {
  const text = await readFile(file, 'utf8').catch(() => '');
  return text.trimEnd().split('\n').slice(-20).join('\n');
}
