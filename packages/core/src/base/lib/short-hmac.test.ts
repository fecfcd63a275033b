import { createHmac, randomBytes } from 'node:crypto';
import { expect, it } from 'vitest';
import { ShortHmac } from './short-hmac.ts';

it('gives what createHmac gives, for keys and texts of any length, in any order', () => {
  for (const keyBytes of [0, 1, 32, 63, 64]) {
    const key = randomBytes(keyBytes);
    const short = new ShortHmac(key);
    for (const length of [0, 1, 55, 56, 64, 447, 448, 449, 5_000, 3, 100]) {
      for (const text of [
        'a'.repeat(length),
        'ä€😀'.repeat(length),
        randomBytes(length).toString('latin1'),
      ]) {
        const right = createHmac('sha256', key).update(text).digest('binary');
        expect(short.digest(text) === right, `${keyBytes} ${length}`).toBe(true);
      }
    }
  }
});

it('refuses a key that would have to be hashed first', () => {
  expect(() => new ShortHmac(Buffer.alloc(65))).toThrow(RangeError);
});
