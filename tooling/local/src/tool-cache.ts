import { execFile } from 'node:child_process';
import { access, constants } from 'node:fs/promises';
import { homedir } from 'node:os';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** Tools that are built or downloaded once for all clones: `$XDG_CACHE_HOME/postrider`, by default `~/.cache/postrider`. */
export function cacheDir(): string {
  return join(process.env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'postrider');
}

/** The first executable of that name on the PATH. */
export async function findExecutable(name: string): Promise<string | undefined> {
  const folders = (process.env.PATH ?? '').split(delimiter).filter((folder) => folder !== '');
  for (const folder of folders) {
    const path = join(folder, name);
    if (await isExecutable(path)) return path;
  }
  return undefined;
}

export async function isExecutable(path: string): Promise<boolean> {
  return access(path, constants.X_OK).then(
    () => true,
    () => false,
  );
}

/** The first line of what a program says about itself, or undefined when it cannot be run. */
export async function versionOf(path: string, ...args: string[]): Promise<string | undefined> {
  try {
    const { stdout } = await run(path, args, { timeout: 20_000 });
    return stdout.split('\n')[0];
  } catch {
    // A wrapper without its program behind it is no better than none.
    return undefined;
  }
}
