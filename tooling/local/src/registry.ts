import { spawn } from 'node:child_process';
import { signal } from './processes.ts';

const running = new Map<number, NodeJS.Signals>();

/** Registers a process that must not outlive this one, and the signal that ends it at once. A negative id is a process group. */
export function register(pid: number, force: NodeJS.Signals): void {
  running.set(pid, force);
}

export function unregister(pid: number): void {
  running.delete(pid);
}

/** Ends all registered processes at once; for the second Ctrl-C. */
export function forceAll(): void {
  for (const [pid, force] of running) signal(pid, force);
  running.clear();
}

/**
 * Ends a server without an IPC channel `delaySeconds` after this process has ended, even by SIGKILL: a small shell
 * waits for the end of a pipe that only this process holds. The delay lets the users of the server end first.
 */
export function guard(pid: number, name: 'INT' | 'TERM', delaySeconds: number): { release(): void } {
  const script = `while read -r _; do :; done; sleep ${delaySeconds}; kill -${name} ${pid}`;
  const shell = spawn('sh', ['-c', script], { stdio: ['pipe', 'ignore', 'ignore'], detached: true });
  shell.unref();
  // A broken pipe means that the guard was killed from outside; nothing can be done about it.
  shell.stdin?.on('error', () => undefined);
  shell.once('error', () => undefined);
  (shell.stdin as unknown as { unref?: () => void } | null)?.unref?.();
  return { release: () => void shell.kill('SIGKILL') };
}
