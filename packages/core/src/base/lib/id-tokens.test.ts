import { createCipheriv, createSecretKey, randomBytes } from 'node:crypto';
import { expect, it } from 'vitest';
import { IdTokens } from './id-tokens.ts';

const raw = randomBytes(32);
const key = { keyId: '1a2b', key: createSecretKey(raw) };

/** CBC without an initialisation vector: its last block is the CBC-MAC. */
const cbcMac = (message: Buffer): Buffer =>
  createCipheriv('aes-256-cbc', raw, Buffer.alloc(16)).setAutoPadding(false).update(message).subarray(-16);

it('a tag is AES of one id, or the CBC-MAC of two', () => {
  const [one, other] = [randomBytes(16), randomBytes(16)];
  const [open = ''] = new IdTokens('open', key).make([one]);
  expect(open).toBe(`o1a2b${Buffer.concat([one, cbcMac(one)]).toString('base64url')}`);
  const [preferences = ''] = new IdTokens('preferences', key).make([one, other]);
  const ids = Buffer.concat([one, other]);
  expect(preferences).toBe(`p1a2b${Buffer.concat([ids, cbcMac(ids)]).toString('base64url')}`);
});

it('tokens do not depend on those made or read before them', () => {
  const tokens = new IdTokens('open', key);
  const ids = randomBytes(16 * 5);
  const first = tokens.make([ids]);
  for (const [index, token] of first.entries()) {
    expect(tokens.read(token)?.equals(ids.subarray(index * 16, index * 16 + 16))).toBe(true);
    expect(tokens.read(`${token.slice(0, -1)}${token.endsWith('A') ? 'E' : 'A'}`)).toBeNull();
  }
  expect(tokens.make([ids])).toEqual(first);
});

it('columns of other lengths or numbers are refused', () => {
  const tokens = new IdTokens('preferences', key);
  expect(() => tokens.make([randomBytes(16)])).toThrow(TypeError);
  expect(() => tokens.make([randomBytes(16), randomBytes(32)])).toThrow(TypeError);
});
