import type { Socket } from 'node:net';
import { stuffDots, terminatorOf } from './dot-stuffing.ts';

/** Bytes written before checking for back-pressure; a message up to this size is written at once. */
const PART_BYTES = 64 * 1024;
const SCRATCH_BYTES = 128 * 1024;

/** One buffer for all connections: the last part of a message and the commands that follow it leave in one write. */
let scratch = Buffer.allocUnsafeSlow(SCRATCH_BYTES);

/**
 * Writes all of a message but its last part, as far as the socket takes it at once.
 * @param at where to go on
 * @returns where to go on after `drain`; `data.length` is never reached, `writeEnd` writes the last part
 */
export function writeParts(socket: Socket, data: Buffer, at: number): { at: number; drained: boolean } {
  let from = at;
  while (data.length - from > PART_BYTES) {
    const flowing = socket.write(stuffDots(data.subarray(from, from + PART_BYTES), data[from - 1]));
    from += PART_BYTES;
    if (!flowing) return { at: from, drained: false };
  }
  return { at: from, drained: true };
}

/** Whether a message needs `writeParts`. */
export function isLong(data: Buffer): boolean {
  return data.length > PART_BYTES;
}

/** Writes the last part of a message, its final dot, and the commands after it. */
export function writeEnd(socket: Socket, data: Buffer, at: number, commands: string): void {
  const part = stuffDots(at === 0 ? data : data.subarray(at), data[at - 1]);
  const end = terminatorOf(data);
  let length = part.copy(scratch, 0);
  length += end.copy(scratch, length);
  length += scratch.write(commands, length, 'utf8');
  socket.write(scratch.subarray(0, length));
  // Not everything fitted into the kernel's buffer: the rest will be read from the scratch buffer later.
  if (socket.writableLength > 0) scratch = Buffer.allocUnsafeSlow(SCRATCH_BYTES);
}
