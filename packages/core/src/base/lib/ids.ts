import { v7 } from 'uuid';

const idBytes = 16;
/** Random bytes for 256 ids. Asking for the bytes of each id would cost ten times as much as everything else that makes an id. */
const pool = new Uint8Array(256 * idBytes);
let used = pool.length;
/** of the last id: its time, and the counter that orders the ids of one millisecond */
const last = { msecs: Number.NEGATIVE_INFINITY, seq: 0 };
/** A clock that goes back by more was wrong before; ids keep their order over smaller corrections. */
const correctionMs = 60_000;

/**
 * A new id: UUID version 7 (RFC 9562), so that ids sort by creation time, those of one process exactly. A process whose clock was far ahead makes
 * ids of the present again as soon as the clock is right: the future belongs to slices that do not exist yet.
 */
export function newId(): string {
  if (used === pool.length) {
    crypto.getRandomValues(pool);
    used = 0;
  }
  const random = pool.subarray(used, used + idBytes);
  used += idBytes;
  const now = Date.now();
  if (now > last.msecs || now < last.msecs - correctionMs) {
    last.msecs = now;
    // The highest bit stays free for the ids that follow in the same millisecond.
    last.seq = new DataView(random.buffer, random.byteOffset).getUint32(6) & 0x7fffffff;
  } else {
    last.seq = (last.seq + 1) | 0;
    if (last.seq === 0) last.msecs += 1;
  }
  return v7({ random, msecs: last.msecs, seq: last.seq });
}

/** When an id was made, to the millisecond (RFC 9562, 5.7). */
export const timeOf = (id: string): Date => new Date(Number.parseInt(id.replace('-', '').slice(0, 12), 16));

/** The first id of all that are made from this time on (UUID version 7), for comparisons with ids. */
export function firstIdOf(time: Date): string {
  const hex = time.getTime().toString(16).padStart(12, '0');
  return `${hex.slice(0, 8)}-${hex.slice(8)}-7000-8000-000000000000`;
}

const uuidPattern = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

export const isUuid = (value: unknown): value is string =>
  typeof value === 'string' && uuidPattern.test(value);
