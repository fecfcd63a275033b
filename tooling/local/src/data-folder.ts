import { chmod, mkdtemp, statfs } from 'node:fs/promises';
import { freemem, tmpdir } from 'node:os';
import { join } from 'node:path';

/** A file system in memory, where Linux has one. */
const IN_MEMORY = '/dev/shm';
/** In bytes: the write-ahead log and the databases of a run take less than one. */
const GIGABYTE = 2 ** 30;

/** Where `dataFolder` makes folders. */
export const dataRoots: readonly string[] = [tmpdir(), IN_MEMORY];

/**
 * A new folder for the data of servers that a test starts, which other users may enter. It lies in memory where there is plenty of it: PostgreSQL
 * creates and removes a thousand files with each database of a test, which takes three times the processor time on a disk, and waits for it.
 * Killing a process loses nothing there either.
 *
 * @param prefix of its name
 */
export async function dataFolder(prefix: string): Promise<string> {
  const folder = await mkdtemp(join((await hasRoomInMemory()) ? IN_MEMORY : tmpdir(), prefix));
  await chmod(folder, 0o755);
  return folder;
}

async function hasRoomInMemory(): Promise<boolean> {
  if (freemem() < 6 * GIGABYTE) return false;
  const system = await statfs(IN_MEMORY).catch(() => undefined);
  return system !== undefined && system.bavail * system.bsize >= 3 * GIGABYTE;
}
