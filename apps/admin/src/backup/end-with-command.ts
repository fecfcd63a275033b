import { type ChildProcess, spawn } from 'node:child_process';

interface Guard {
  /** nothing happens any more */
  release(): void;
}

/** Runs a script of the shell when this process has ended, even by SIGKILL: the shell waits for the end of a pipe that only this process holds. */
function afterCommand(script: string, ...args: string[]): Guard {
  // In a group of its own: Ctrl-C in the terminal is not for it.
  const shell = spawn('sh', ['-c', `while read -r _; do :; done; ${script}`, 'sh', ...args], {
    stdio: ['pipe', 'ignore', 'ignore'],
    detached: true,
    cwd: '/',
  });
  shell.unref();
  for (const part of [shell, shell.stdin]) part.on('error', () => undefined);
  return { release: () => void shell.kill('SIGKILL') };
}

/**
 * Ends a program with this process, and what that has started. Programs of PostgreSQL end in order on SIGINT.
 *
 * @param child started as `detached`, so that it leads a group
 */
export const endWithCommand = ({ pid }: ChildProcess): Guard =>
  pid === undefined ? { release: () => undefined } : afterCommand('kill -INT "-$1"', String(pid));

/**
 * Removes a folder with this process, unless that has released it: what is in it is of no use halfway, and may be large. A program that still
 * writes into it makes it again, so that it is removed more than once.
 *
 * @param path absolute
 */
export const removeWithCommand = (path: string): Guard =>
  afterCommand('for _ in 1 2 3; do rm -rf "$1"; sleep 2; done', path);
