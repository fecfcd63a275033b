/** Bitmaps as PostgreSQL's `get_bit` reads them: bit 0 is the lowest bit of the first byte. */
export const noBits = (size: number): Buffer => Buffer.alloc((size + 7) >> 3);

export function setBit(bits: Buffer, position: number): void {
  const byte = position >> 3;
  bits[byte] = (bits[byte] ?? 0) | (1 << (position & 7));
}

export const hasBit = (bits: Buffer, position: number): boolean =>
  ((bits[position >> 3] ?? 0) & (1 << (position & 7))) !== 0;
