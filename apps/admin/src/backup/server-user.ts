import { execFile } from 'node:child_process';
import { chown } from 'node:fs/promises';
import { promisify } from 'node:util';
import { CommandError } from '../command.ts';

const run = promisify(execFile);

/** Whom a server of PostgreSQL runs as. */
export interface ServerUser {
  uid: number;
  gid: number;
}

/**
 * PostgreSQL does not run as root, who starts it as the user `postgres`; undefined for everyone else, who starts it themselves.
 *
 * @throws CommandError when there is no such user
 */
export async function serverUser(): Promise<ServerUser | undefined> {
  if (process.getuid?.() !== 0) return undefined;
  const idOf = async (kind: string): Promise<number> =>
    Number((await run('id', [kind, 'postgres'])).stdout.trim());
  try {
    return { uid: await idOf('-u'), gid: await idOf('-g') };
  } catch {
    throw new CommandError(
      'PostgreSQL does not run as root, and this machine has no user postgres: run the command as the user that is to run PostgreSQL',
    );
  }
}

export const giveTo = async (user: ServerUser | undefined, path: string): Promise<void> => {
  if (user) await chown(path, user.uid, user.gid);
};
