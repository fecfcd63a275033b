import { randomBytes } from 'node:crypto';
import { expect, it } from 'vitest';
import { base32, readBase32 } from './base32.ts';

it.each([
  ['', ''],
  ['f', 'my'],
  ['fo', 'mzxq'],
  ['foo', 'mzxw6'],
  ['foob', 'mzxw6yq'],
  ['fooba', 'mzxw6ytb'],
  ['foobar', 'mzxw6ytboi'],
])('%j is written as in RFC 4648 10', (text, encoded) => {
  expect(base32(Buffer.from(text))).toBe(encoded);
});

it('bytes of any length are read back', () => {
  for (let length = 0; length < 200; length += 1) {
    const bytes = randomBytes(length);
    expect(readBase32(base32(bytes))).toEqual(bytes);
  }
});
