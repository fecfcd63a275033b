import { copyFile, open, readFile, stat } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { CommandError } from '../command.ts';
import { type BaseManifest, baseFolder } from './manifest.schema.ts';
import { namesIn } from './parts.ts';
import { giveTo, type ServerUser } from './server-user.ts';
import {
  followingWal,
  headBytes,
  isHistory,
  numberBefore,
  partialSuffix,
  readHead,
  type Segment,
  type SegmentHead,
  segmentOf,
} from './wal.rules.ts';

const usualBytes = 16 * 1024 * 1024;

/** Beside the backups, in the folder that they are made in. */
export const walFolder = 'wal';

export const walBeside = (backup: string): string => join(dirname(resolve(backup)), walFolder);

/** The size of the segments of a server, and the number of the last of a base. */
function walOf({ parts, lsn }: Pick<BaseManifest, 'parts' | 'lsn'>) {
  const inBase = parts.flatMap(({ name, bytes }) =>
    name.startsWith(`${baseFolder}/pg_wal/`) && segmentOf(name.slice(-24), bytes) ? bytes : [],
  );
  const bytes = inBase[0] ?? usualBytes;
  return { bytes, last: numberBefore(lsn, bytes) };
}

export interface StreamedWal {
  folder: string;
  segments: Segment[];
  /** the name of a file that is missing though later ones are there */
  missing: string | null;
  bytes: number;
}

/**
 * The WAL that follows a base in the folder of a stream.
 *
 * @throws CommandError when there is none, or it is of another server
 */
export async function findWal(folder: string, manifest: BaseManifest): Promise<StreamedWal> {
  const { bytes, last } = walOf(manifest);
  const all = (await namesIn(folder)).flatMap((name) => segmentOf(name, bytes) ?? []);
  const { segments, gap } = followingWal(all, { last, timeline: manifest.timeline });
  if (segments.length === 0)
    throw new CommandError(
      `${folder} has no WAL that follows the backup${gap === null ? '' : `: its next segment is missing`}. Name the folder of the stream with --wal, or leave --at out`,
    );
  for (const segment of segments) {
    const head = await headOf(join(folder, fileOf(segment)));
    if (head && head.systemId !== manifest.systemId)
      throw new CommandError(
        `${join(folder, fileOf(segment))} is of another server than the backup: name the folder of its stream with --wal`,
      );
  }
  const after = segments.at(-1)?.timeline ?? manifest.timeline;
  return {
    folder,
    segments,
    missing: gap === null ? null : nameOf(after, gap, bytes),
    bytes: segments.length * bytes,
  };
}

const fileOf = ({ name, isPartial }: Segment): string => (isPartial ? `${name}${partialSuffix}` : name);

function nameOf(timeline: number, number: number, bytes: number): string {
  const perLog = 2 ** 32 / bytes;
  return [timeline, Math.floor(number / perLog), number % perLog]
    .map((part) => part.toString(16).toUpperCase().padStart(8, '0'))
    .join('');
}

export async function headOf(file: string): Promise<SegmentHead | null> {
  const handle = await open(file, 'r');
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(headBytes), 0, headBytes, 0);
    return readHead(buffer.subarray(0, bytesRead));
  } finally {
    await handle.close();
  }
}

/** Puts WAL where a server that recovers reads it. Where the base has a segment too, the longer one is taken: each may have been cut off. */
export async function copyWal(
  { folder, segments }: StreamedWal,
  data: string,
  user: ServerUser | undefined,
): Promise<void> {
  for (const segment of segments) {
    const [from, to] = [join(folder, fileOf(segment)), join(data, 'pg_wal', segment.name)];
    if (segment.isPartial && (await writtenBytes(to)) >= (await writtenBytes(from))) continue;
    await copyFile(from, to);
    await giveTo(user, to);
  }
}

/** What tells timelines apart: with these files a new one gets a number that none has had. */
export async function copyHistory(folder: string, data: string, user: ServerUser | undefined): Promise<void> {
  for (const name of await namesIn(folder)) {
    if (!isHistory(name)) continue;
    await copyFile(join(folder, name), join(data, 'pg_wal', name));
    await giveTo(user, join(data, 'pg_wal', name));
  }
}

/** What is not written yet is zero. */
async function writtenBytes(file: string): Promise<number> {
  const size = await stat(file).then(
    (found) => found.size,
    () => 0,
  );
  if (size === 0) return 0;
  const bytes = await readFile(file);
  let end = bytes.length;
  while (end > 0 && bytes[end - 1] === 0) end -= 1;
  return end;
}
