import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { CommandError } from '../command.ts';
import { type Keep, type KnownBackup, keptOf } from './keep.rules.ts';
import { type BaseManifest, manifestFile, verification, verifiedFile } from './manifest.schema.ts';
import { readManifest } from './open-backup.ts';
import { namesIn } from './parts.ts';
import { walFolder } from './wal-folder.ts';

export interface Pruned {
  removed: string[];
  kept: string[];
  /** segments of the stream that no backup which is kept needs */
  segments: number;
  /** folders that hold no backup that this version reads: they are left alone */
  others: string[];
}

/** Removes the backups in a folder that are not to be kept. Only what has a manifest is removed. */
export async function pruneBackups(folder: string, keep: Keep): Promise<Pruned> {
  const backups: KnownBackup[] = [];
  const others: string[] = [];
  const firsts = new Map<string, string>();
  for (const name of await namesIn(folder)) {
    try {
      if (name === walFolder) continue;
      const manifest = await readManifest(join(folder, name));
      const { dataUntil } = manifest;
      if (manifest.kind === 'base') firsts.set(name, firstSegment(manifest));
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
  const needed = kept?.flatMap((name) => firsts.get(name) ?? []).sort();
  const segments = needed?.[0] === undefined ? 0 : await pruneWal(join(folder, walFolder), needed[0]);
  return { segments, removed: removed ?? [], kept: kept ?? [], others };
}

/** Names of segments are in order without their timelines, which a restore or failover raises. */
const withoutTimeline = (name: string): string => name.slice(8);

const firstSegment = ({ parts }: BaseManifest): string =>
  parts
    .flatMap(({ name }) => /^base\/pg_wal\/([0-9A-F]{24})$/.exec(name)?.[1] ?? [])
    .map(withoutTimeline)
    .sort()[0] ?? '';

/** Removes the WAL from before a segment. @returns how many segments */
async function pruneWal(folder: string, first: string): Promise<number> {
  const old = (await namesIn(folder)).filter(
    (name) => /^[0-9A-F]{24}$/.test(name) && withoutTimeline(name) < first,
  );
  for (const name of old) await rm(join(folder, name));
  return old.length;
}

async function isVerified(path: string): Promise<boolean> {
  try {
    return verification.safeParse(JSON.parse(await readFile(join(path, verifiedFile), 'utf8'))).success;
  } catch {
    return false;
  }
}
