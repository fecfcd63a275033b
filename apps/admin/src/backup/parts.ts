import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { lstat, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { Part } from './manifest.schema.ts';

/** The files of some folders of a backup, with their hashes, by name. A folder that does not exist has none. */
export async function readParts(backup: string, folders: readonly string[]): Promise<Part[]> {
  const parts: Part[] = [];
  for (const folder of folders)
    for (const name of await filesIn(join(backup, folder)))
      parts.push(await readPart(backup, `${folder}/${name}`));
  return parts;
}

export async function namesIn(folder: string): Promise<string[]> {
  try {
    return (await readdir(folder)).sort();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  }
}

/** The files of a folder and of those in it. */
async function filesIn(folder: string): Promise<string[]> {
  const files: string[] = [];
  for (const name of await namesIn(folder)) {
    if (!(await lstat(join(folder, name))).isDirectory()) files.push(name);
    else for (const inner of await filesIn(join(folder, name))) files.push(`${name}/${inner}`);
  }
  return files;
}

/** A link is no part: what it leads to may change, or be missing elsewhere. */
class NoFile extends Error {}

export async function readPart(backup: string, name: string): Promise<Part> {
  const path = join(backup, name);
  const found = await lstat(path);
  if (!found.isFile()) throw new NoFile(name);
  const sum = createHash('sha256');
  await pipeline(createReadStream(path), sum);
  return { name, bytes: found.size, sha256: sum.digest('hex') };
}

/** What is wrong with the files of a backup, a sentence each. */
export async function findDamage(backup: string, parts: readonly Part[]): Promise<string[]> {
  const damage: string[] = [];
  for (const part of parts) {
    const wrong = await damageOf(backup, part);
    if (wrong !== null) damage.push(`${part.name} ${wrong}`);
  }
  return damage;
}

async function damageOf(backup: string, part: Part): Promise<string | null> {
  try {
    const found = await readPart(backup, part.name);
    if (found.bytes !== part.bytes) return `has ${found.bytes} bytes instead of ${part.bytes}`;
    return found.sha256 === part.sha256 ? null : 'was changed';
  } catch (error) {
    if (error instanceof NoFile) return 'is a link or a folder instead of a file';
    if (['ENOENT', 'ENOTDIR'].includes(String((error as NodeJS.ErrnoException).code))) return 'is missing';
    throw error;
  }
}
