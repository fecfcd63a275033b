/** A segment of WAL is named `<timeline><number>` in 24 hexadecimal digits, and is `.partial` while it is received. */
const segmentName = /^([0-9A-F]{8})([0-9A-F]{8})([0-9A-F]{8})$/;

export const partialSuffix = '.partial';
export const isHistory = (name: string): boolean => /^[0-9A-F]{8}\.history$/.test(name);

export interface Segment {
  /** without `.partial` */
  name: string;
  isPartial: boolean;
  timeline: number;
  /** they follow each other without a gap, across timelines */
  number: number;
}

const bytesOfLog = 2 ** 32;

/** Null for the name of anything else. @param bytes of each segment of the server, such as 16 MB */
export function segmentOf(file: string, bytes: number): Segment | null {
  const isPartial = file.endsWith(partialSuffix);
  const name = isPartial ? file.slice(0, -partialSuffix.length) : file;
  const [, timeline, log, part] = segmentName.exec(name) ?? [];
  if (timeline === undefined || log === undefined || part === undefined) return null;
  const number = Number.parseInt(log, 16) * (bytesOfLog / bytes) + Number.parseInt(part, 16);
  return { name, isPartial, timeline: Number.parseInt(timeline, 16), number };
}

/** A place in the WAL, such as `16/B374D848`, as a number. */
export function placeOf(lsn: string): bigint {
  const [high = '0', low = '0'] = lsn.split('/');
  return (BigInt(`0x${high}`) << 32n) + BigInt(`0x${low}`);
}

/** The number of the segment that has what lies before a place. */
export const numberBefore = (lsn: string, bytes: number): number =>
  Number((placeOf(lsn) - 1n) / BigInt(bytes));

/** The last of some moments that lies before a place in the WAL: what was committed before the moment is before that place. */
export const lastBefore = <T extends { lsn: string }>(moments: readonly T[], end: string): T | undefined =>
  moments.findLast(({ lsn }) => placeOf(lsn) <= placeOf(end));

export interface FollowingWal {
  segments: Segment[];
  /** the number of the first segment that is missing though later ones are there */
  gap: number | null;
}

/** What follows a base whose end is in the segment `last`, up to the first gap. That segment is also in the base. */
export function followingWal(
  segments: readonly Segment[],
  { last, timeline }: { last: number; timeline: number },
): FollowingWal {
  const later = segments.filter((one) => one.number >= last && one.timeline >= timeline);
  const numbers = new Set(later.map(({ number }) => number)).add(last);
  let end = last;
  while (numbers.has(end + 1)) end += 1;
  return {
    segments: later.filter(({ number }) => number <= end),
    gap: later.some(({ number }) => number > end) ? end + 1 : null,
  };
}

/** What the first page of a segment says; null if nothing was written yet, or it is none. */
export interface SegmentHead {
  systemId: string;
  bytes: number;
}

/** Bytes of the head of a segment: XLogLongPageHeaderData of PostgreSQL, the same on all machines of 64 bits that are little-endian. */
export const headBytes = 40;

export function readHead(bytes: Buffer): SegmentHead | null {
  if (bytes.length < headBytes || bytes.readUInt16LE(0) === 0) return null;
  return { systemId: bytes.readBigUInt64LE(24).toString(), bytes: bytes.readUInt32LE(32) };
}
