import { join } from 'node:path';
import { expect, it } from 'vitest';
import { patternsOf, slowTextOf } from './slow-patterns.ts';

/** Patterns that take longer than in proportion to the text, with why they never meet a long one. */
const bounded: Readonly<Record<string, string>> = {
  '/(\\{\\{[\\s\\S]*?\\}\\}|\\{%[\\s\\S]*?%\\})/': 'the visual editor, in the browser of who writes the text',
  '/^\\s*(.*?)\\s*<([^<>]+)>\\s*$/': 'PLATFORM_FROM',
  '/\\/+$/': 'addresses of the environment',
  '/[^\\p{ASCII}].*@/u': 'an address, which has at most 254 characters',
  '/\\s*\\([^()]*\\)$/': 'a date, of which at most 200 characters are read',
};

it('no pattern of the service takes longer than in proportion to a text from outside', () => {
  const patterns = patternsOf(join(import.meta.dirname, '../../../..'));
  expect(patterns.length).toBeGreaterThan(100);
  const found = patterns
    .filter(({ text }) => !(text in bounded))
    .flatMap(({ file, text }) => {
      const slow = slowTextOf(text);
      return slow === null ? [] : [`${file}: ${text} for ${slow}`];
    });
  expect(found).toEqual([]);
});

it('the list has no pattern that is gone', () => {
  const texts = new Set(patternsOf(join(import.meta.dirname, '../../../..')).map(({ text }) => text));
  expect(Object.keys(bounded).filter((text) => !texts.has(text))).toEqual([]);
});

it.each(['/ +$/', '/[^ ]+ /', '/\\([^)]*\\)/', '/^[ \\t]+|[ \\t]+$/g', '/\\s*;\\s*/'])(
  'finds %s',
  (pattern) => {
    expect(slowTextOf(pattern)).not.toBeNull();
  },
);

it.each(['/^ +/', '/<[^<>]*>/g', '/\\s+/g'])('accepts %s', (pattern) => {
  expect(slowTextOf(pattern)).toBeNull();
});
