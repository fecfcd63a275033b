import { statfs } from 'node:fs/promises';
import { dirname } from 'node:path';

/** The share of a disk below which nothing should be stored (behaviour B8.7). */
const leastFree = 0.05;

/** Whether the disk of a folder is almost full. One that does not exist yet will be made in a folder that does. */
export async function isDiskLow(folder: string): Promise<boolean> {
  try {
    const { bavail, blocks } = await statfs(folder);
    return blocks > 0 && bavail / blocks < leastFree;
  } catch (error) {
    const parent = dirname(folder);
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT' || parent === folder) throw error;
    return isDiskLow(parent);
  }
}
