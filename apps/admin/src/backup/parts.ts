import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { Part } from './manifest.schema.ts';

/** The files of some folders of a backup, with their hashes, by name. A folder that does not exist has none. */
export async function readParts(backup: string, folders: readonly string[]): Promise<Part[]> {
  const parts: Part[] = [];
  for (const folder of folders)
    for (const name of await namesIn(join(backup, folder)))
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

async function readPart(backup: string, name: string): Promise<Part> {
  const path = join(backup, name);
  const { size } = await stat(path);
  const sum = createHash('sha256');
  await pipeline(createReadStream(path), sum);
  return { name, bytes: size, sha256: sum.digest('hex') };
}

/** What is wrong with the files of a backup, a sentence each. */
export async function findDamage(backup: string, parts: readonly Part[]): Promise<string[]> {
  const damage: string[] = [];
  for (const part of parts) {
    const found = await readPart(backup, part.name).catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return null;
      throw error;
    });
    if (!found) damage.push(`${part.name} is missing`);
    else if (found.bytes !== part.bytes)
      damage.push(`${part.name} has ${found.bytes} bytes instead of ${part.bytes}`);
    else if (found.sha256 !== part.sha256) damage.push(`${part.name} was changed`);
  }
  return damage;
}
