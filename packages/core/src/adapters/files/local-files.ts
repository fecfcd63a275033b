import { randomUUID } from 'node:crypto';
import { mkdir, open, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import type { FileStorage } from '../../base/kernel/ports/file-storage.ts';
import { isDiskLow } from './free-disk.ts';

/** Keys become file names, so nothing else may reach the file system. */
const keyPattern = /^[a-z0-9]{1,64}\.[a-z]{3,4}$/;

const isMissing = (error: unknown): boolean => (error as NodeJS.ErrnoException).code === 'ENOENT';

/** Files in a folder of this machine, served by the api below `/uploads`. Several api processes need a shared folder. */
export function createLocalFiles({ folder, apiUrl }: { folder: string; apiUrl: string }): FileStorage {
  const root = resolve(folder);
  const pathOf = (key: string): string => {
    if (!keyPattern.test(key)) throw new TypeError(`${JSON.stringify(key)} is not the key of a file`);
    return join(root, key);
  };
  return {
    async put(key, bytes) {
      const path = pathOf(key);
      await mkdir(root, { recursive: true });
      // Renamed when complete, so that a partial file is never served.
      const partial = `${path}.${randomUUID()}.part`;
      try {
        await writeFile(partial, bytes, { flush: true });
        await rename(partial, path);
      } catch (error) {
        await rm(partial, { force: true });
        throw error;
      }
    },
    async open(key) {
      if (!keyPattern.test(key)) return null;
      try {
        return (await open(pathOf(key))).createReadStream();
      } catch (error) {
        if (isMissing(error)) return null;
        throw error;
      }
    },
    isLow: () => isDiskLow(dirname(root)),
    urlOf: (key) => `${apiUrl}/uploads/${key}`,
    remove: (key) => rm(pathOf(key), { force: true }),
  };
}
