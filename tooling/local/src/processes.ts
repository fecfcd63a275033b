import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** True while a process with this id exists and is not a zombie. */
export async function isAlive(pid: number): Promise<boolean> {
  try {
    process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
  const state = await stateOf(pid);
  return state !== '' && !state.startsWith('Z');
}

/** The command line of a process, or '' if it does not exist. Process ids are reused, so a pid file alone proves nothing. */
export async function commandOf(pid: number): Promise<string> {
  if (process.platform !== 'linux') return ask(pid, 'command=');
  const text = await readProc(pid, 'cmdline');
  return text.split('\0').join(' ').trim();
}

/** The start time of a process as the system prints it, or '' if it does not exist. With the id it identifies a process uniquely. */
export async function identityOf(pid: number): Promise<string> {
  if (!(await isAlive(pid))) return '';
  if (process.platform !== 'linux') return ask(pid, 'lstart=');
  // Field 22 of proc(5) stat, the 20th after the name.
  return (await stateOf(pid)).split(' ')[19] ?? '';
}

/** Waits until the process has ended; false if it still runs after `timeoutMs`. */
export async function waitForExit(pid: number, timeoutMs: number): Promise<boolean> {
  const deadline = Date.now() + timeoutMs;
  while (await isAlive(pid)) {
    if (Date.now() > deadline) return false;
    await sleep(50);
  }
  return true;
}

export function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch (error) {
    // The process ended between the check and the signal, as the caller wanted.
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}

/** Sends the signals one after another, each with its time limit in milliseconds, until the process has ended. */
export async function stopProcess(
  pid: number,
  steps: readonly (readonly [NodeJS.Signals, number])[],
): Promise<void> {
  for (const [name, patienceMs] of steps) {
    signal(pid, name);
    if (await waitForExit(pid, patienceMs)) return;
  }
  throw new Error(`Process ${pid} did not end after ${steps.map(([name]) => name).join(', ')}.`);
}

async function stateOf(pid: number): Promise<string> {
  if (process.platform !== 'linux') return ask(pid, 'state=');
  const text = await readProc(pid, 'stat');
  // The name in brackets may itself contain spaces and brackets; the state follows the last closing one.
  return text.slice(text.lastIndexOf(')') + 1).trim();
}

// Small images have no `ps`, so Linux is read from /proc. Only these two errors mean that the process does not
// exist. Any other failure, such as too many open files, must not make a live server look dead, since its folder
// would be removed.
const noSuchProcess = new Set(['ENOENT', 'ESRCH']);

async function readProc(pid: number, file: string): Promise<string> {
  try {
    return await readFile(`/proc/${pid}/${file}`, 'utf8');
  } catch (error) {
    if (noSuchProcess.has((error as NodeJS.ErrnoException).code ?? '')) return '';
    throw error;
  }
}

async function ask(pid: number, field: string): Promise<string> {
  try {
    const { stdout } = await run('ps', ['-o', field, '-p', String(pid)]);
    return stdout.trim();
  } catch {
    // ps exits with 1 if the process does not exist.
    return '';
  }
}
