import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { CommandError } from '../command.ts';
import { type Keep, type KnownBackup, keptOf } from './keep.rules.ts';
import { manifestFile, verification, verifiedFile } from './manifest.schema.ts';
import { readManifest } from './open-backup.ts';
import { namesIn } from './parts.ts';

export interface Pruned {
  removed: string[];
  kept: string[];
  /** folders that hold no backup that this version reads: they are left alone */
  others: string[];
}

/** Removes the backups in a folder that are not to be kept. Only what has a manifest is removed. */
export async function pruneBackups(folder: string, keep: Keep): Promise<Pruned> {
  const backups: KnownBackup[] = [];
  const others: string[] = [];
  for (const name of await namesIn(folder)) {
    try {
      const { dataUntil } = await readManifest(join(folder, name));
      backups.push({ name, at: new Date(dataUntil), isVerified: await isVerified(join(folder, name)) });
    } catch (error) {
      if (!(error instanceof CommandError)) throw error;
      others.push(name);
    }
  }
  const keeping = keptOf(backups, keep);
  const [kept, removed] = [true, false].map((isKept) =>
    backups.flatMap(({ name }) => (keeping.has(name) === isKept ? name : [])),
  );
  for (const name of removed ?? []) {
    // First what makes it a backup: a half removed one is none.
    await rm(join(folder, name, manifestFile));
    await rm(join(folder, name), { recursive: true });
  }
  return { removed: removed ?? [], kept: kept ?? [], others };
}

async function isVerified(path: string): Promise<boolean> {
  try {
    return verification.safeParse(JSON.parse(await readFile(join(path, verifiedFile), 'utf8'))).success;
  } catch {
    return false;
  }
}
