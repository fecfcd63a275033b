import { execFile } from 'node:child_process';
import { access, constants } from 'node:fs/promises';
import { homedir } from 'node:os';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

/**
 * Tools that are built or downloaded once for all clones: `$XDG_CACHE_HOME/postrider`, by default `~/.cache/postrider`.
 *
 * @returns {string}
 */
export function cacheDir() {
  return join(process.env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'postrider');
}

/**
 * The first executable of that name on the PATH.
 *
 * @param {string} name
 * @returns {Promise<string | undefined>}
 */
export async function findExecutable(name) {
  const folders = (process.env.PATH ?? '').split(delimiter).filter((folder) => folder !== '');
  for (const folder of folders) {
    const path = join(folder, name);
    if (await isExecutable(path)) return path;
  }
  return undefined;
}

/**
 * @param {string} path
 * @returns {Promise<boolean>}
 */
export async function isExecutable(path) {
  return access(path, constants.X_OK).then(
    () => true,
    () => false,
  );
}

/**
 * The first line of a program's output, or undefined if it cannot be run.
 *
 * @param {string} path
 * @param {...string} args
 * @returns {Promise<string | undefined>}
 */
export async function versionOf(path, ...args) {
  try {
    const { stdout } = await run(path, args, { timeout: 20_000 });
    return stdout.split('\n')[0];
  } catch {
    // A wrapper whose program is missing counts as missing.
    return undefined;
  }
}
