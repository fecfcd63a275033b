import { execFile } from 'node:child_process';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { cacheDir } from './tool-cache.mjs';

const run = promisify(execFile);

/**
 * Installs packages of Debian or Ubuntu. Tests of several processes may do so at the same time, and the second `apt-get` would fail at the lock of the
 * first, so they take turns.
 */
export async function aptInstall(apt: string, packages: readonly string[]): Promise<void> {
  await mkdir(cacheDir(), { recursive: true });
  const lock = join(cacheDir(), 'apt.lock');
  const options = { env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }, maxBuffer: 2 ** 26 };
  await run('flock', [lock, apt, 'update', '-q'], options);
  await run('flock', [lock, apt, 'install', '-y', '-q', '--no-install-recommends', ...packages], options);
}
