import { execFile } from 'node:child_process';
import { mkdir, readdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { cacheDir, findExecutable, isExecutable } from './tool-cache.mjs';

const run = promisify(execFile);

/** Prometheus, which nothing of the product needs: tests of its rules use it. */
export interface Prometheus {
  server: string;
  promtool: string;
}

/**
 * Prometheus of the PATH, or else from Debian's or Ubuntu's package, unpacked into the cache: an installed package would start a server.
 *
 * @returns null where there is neither; `onAbsent` gets the reason
 */
export async function findPrometheus(onAbsent: (reason: string) => void): Promise<Prometheus | null> {
  const [server, promtool] = [await findExecutable('prometheus'), await findExecutable('promtool')];
  if (server !== undefined && promtool !== undefined) return { server, promtool };
  const folder = join(cacheDir(), 'prometheus');
  const cached = { server: join(folder, 'usr/bin/prometheus'), promtool: join(folder, 'usr/bin/promtool') };
  const isCached = async (): Promise<boolean> =>
    (await isExecutable(cached.server)) && (await isExecutable(cached.promtool));
  if (await isCached()) return cached;
  try {
    await unpackPackage('prometheus', folder);
    if (await isCached()) return cached;
    onAbsent('the package prometheus has no promtool');
  } catch (error) {
    onAbsent(error instanceof Error ? (error.message.split('\n')[0] ?? '') : String(error));
  }
  return null;
}

async function unpackPackage(name: string, folder: string): Promise<void> {
  const apt = await findExecutable('apt-get');
  const unpack = await findExecutable('dpkg-deb');
  if (apt === undefined || unpack === undefined) throw new Error('there is no apt-get and dpkg-deb');
  const work = `${folder}.${process.pid}`;
  await rm(work, { recursive: true, force: true });
  await mkdir(join(work, 'whole'), { recursive: true });
  try {
    const download = () => run(apt, ['download', '-q', name], { cwd: work });
    // A machine that was just made has no lists of packages.
    await download().catch(async () => {
      await run(apt, ['update', '-q']);
      await download();
    });
    const file = (await readdir(work)).find((each) => each.endsWith('.deb'));
    if (file === undefined) throw new Error(`apt-get downloaded no package ${name}`);
    await run(unpack, ['-x', join(work, file), join(work, 'whole')]);
    await rm(folder, { recursive: true, force: true });
    await rename(join(work, 'whole'), folder);
  } finally {
    await rm(work, { recursive: true, force: true });
  }
}
