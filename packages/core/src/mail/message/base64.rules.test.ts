import { describe, expect, it } from 'vitest';
import { isBase64 } from './base64.rules.ts';

describe('isBase64', () => {
  it.each(['QQ==', 'QUI=', 'QUJD', 'QQ', 'QUI', 'QUJD\r\nREVG', 'QQ=\n=', '+/+/', '\nQUJD\n'])(
    'takes %j',
    (text) => {
      expect(isBase64(text)).toBe(true);
    },
  );

  it.each([
    '',
    '\n',
    '=',
    '====',
    'Q',
    'QUJDR',
    'Q===',
    'QQ=',
    'QUI==',
    'QUJD=',
    'QQ==QQ==',
    'Q Q=',
    '_-_-',
    'QUJé',
    'QUJD\t',
  ])('refuses %j', (text) => {
    expect(isBase64(text)).toBe(false);
  });

  it('handles 40 MB, and finds one wrong character anywhere in it', () => {
    const text = 'QUJD'.repeat(10_000_000);
    expect(isBase64(text)).toBe(true);
    for (const at of [0, 20_000_001, text.length - 1])
      expect(isBase64(`${text.slice(0, at)}!${text.slice(at + 1)}`)).toBe(false);
  });
});
