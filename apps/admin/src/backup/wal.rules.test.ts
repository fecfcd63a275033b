import { expect, it } from 'vitest';
import { followingWal, lastBefore, numberBefore, readHead, type Segment, segmentOf } from './wal.rules.ts';

const mb = 1024 * 1024;

it('a segment has its timeline and number in its name', () => {
  expect(segmentOf('0000000200000001000000FF', 16 * mb)).toEqual({
    name: '0000000200000001000000FF',
    isPartial: false,
    timeline: 2,
    number: 511,
  });
  expect(segmentOf('000000010000000000000007.partial', 16 * mb)).toMatchObject({
    name: '000000010000000000000007',
    isPartial: true,
    number: 7,
  });
  expect(segmentOf('000000010000000100000000', 64 * mb)?.number).toBe(64);
  for (const other of [
    '00000002.history',
    '000000010000000000000007.gz',
    'notes.txt',
    '00000001000000000000000g',
  ])
    expect(segmentOf(other, 16 * mb)).toBeNull();
});

it('a place at the end of a segment lies in it', () => {
  expect(numberBefore('0/2000100', 16 * mb)).toBe(2);
  expect(numberBefore('0/3000000', 16 * mb)).toBe(2);
  expect(numberBefore('1/1', 16 * mb)).toBe(256);
});

it('the time of a copy is that of the last moment before its end', () => {
  const moments = [
    { at: 1, lsn: '0/FF000000' },
    { at: 2, lsn: '1/10' },
    { at: 3, lsn: '1/200' },
  ];
  expect(lastBefore(moments, '1/1FF')?.at).toBe(2);
  expect(lastBefore(moments, '1/200')?.at).toBe(3);
  expect(lastBefore(moments, '0/1')).toBeUndefined();
});

const segment = (timeline: number, number: number, isPartial = false): Segment => ({
  name: `${timeline}-${number}`,
  isPartial,
  timeline,
  number,
});
const numbers = (segments: readonly Segment[]) => segments.map(({ name }) => name);

it('WAL follows a base up to the first segment that is missing', () => {
  const all = [segment(1, 3), segment(1, 4), segment(1, 5), segment(1, 7), segment(1, 8, true)];
  const found = followingWal(all, { last: 4, timeline: 1 });
  expect([numbers(found.segments), found.gap]).toEqual([['1-4', '1-5'], 6]);
  expect(followingWal(all, { last: 7, timeline: 1 }).gap).toBeNull();
  expect(followingWal(all, { last: 2, timeline: 1 }).gap).toBe(6);
  expect(followingWal([segment(1, 9)], { last: 7, timeline: 1 })).toEqual({ segments: [], gap: 8 });
});

it('WAL of a later timeline follows as well, and that of an earlier one does not', () => {
  const all = [segment(1, 3), segment(1, 4), segment(2, 4), segment(2, 5)];
  expect(numbers(followingWal(all, { last: 3, timeline: 1 }).segments)).toEqual(['1-3', '1-4', '2-4', '2-5']);
  expect(numbers(followingWal(all, { last: 3, timeline: 2 }).segments)).toEqual(['2-4', '2-5']);
});

it('the head of a segment names its server', () => {
  const head = Buffer.alloc(40);
  expect(readHead(head)).toBeNull();
  head.writeUInt16LE(0xd110, 0);
  head.writeBigUInt64LE(7_390_000_000_000_000_001n, 24);
  head.writeUInt32LE(16 * mb, 32);
  expect(readHead(head)).toEqual({ systemId: '7390000000000000001', bytes: 16 * mb });
  expect(readHead(head.subarray(0, 20))).toBeNull();
});
