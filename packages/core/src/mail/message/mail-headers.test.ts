import fc from '@postrider/vitest/fast-check.ts';
import PostalMime from 'postal-mime';
import { describe, expect, test } from 'vitest';
import { addressLine, headerLine, headerParameter, normalizeAddress } from './mail-headers.ts';

const anyText = fc.oneof(
  fc.string({ unit: 'grapheme', maxLength: 200 }),
  fc.string({
    unit: fc.constantFrom(
      'a',
      ' ',
      '"',
      '\\',
      '=?',
      '?=',
      ',',
      '<',
      '>',
      '(',
      '@',
      '\r',
      '\n',
      '\0',
      'é',
      '漢',
      '😀',
    ),
    maxLength: 150,
  }),
);

/** A text as headers keep it: without control characters and outer blanks. */
function visible(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the pattern matches control characters.
  return text.replace(/[\u0000-\u0008\u000a-\u001f\u007f]/g, '').trim();
}

test('a subject decodes to itself, in lines of at most 76 characters where words allow', async () => {
  await fc.assert(
    fc.asyncProperty(anyText, async (text) => {
      const line = headerLine('Subject', text);
      for (const part of line.slice(0, -2).split('\r\n')) {
        expect(part).toMatch(/^[\t\x20-\x7e]*$/);
        expect(part.length).toBeLessThanOrEqual(998);
      }
      expect(line.slice(0, -2)).not.toMatch(/\r\n(?![ \t])/);
      const email = await PostalMime.parse(`${line}\r\n`);
      expect(email.subject ?? '').toBe(visible(text));
    }),
  );
});

test('a display name decodes to itself and leaves the address unchanged', async () => {
  await fc.assert(
    fc.asyncProperty(anyText, async (text) => {
      const line = addressLine('To', text, 'kim@example.org');
      const email = await PostalMime.parse(`${line}\r\n`);
      expect(email.to).toHaveLength(1);
      expect(email.to?.[0]?.address).toBe('kim@example.org');
      expect(email.to?.[0]?.name.replace(/\s+/g, ' ')).toBe(visible(text).replace(/\s+/g, ' '));
    }),
  );
});

test('a file name decodes to itself', async () => {
  await fc.assert(
    fc.asyncProperty(fc.string({ unit: 'grapheme', minLength: 1, maxLength: 255 }), async (name) => {
      fc.pre(visible(name) === name && !name.includes('\t'));
      const source = `Content-Type: application/pdf${headerParameter('name', name)}\r\nContent-Disposition: attachment${headerParameter('filename', name)}\r\n\r\nx`;
      for (const line of source.split('\r\n')) expect(line.length).toBeLessThanOrEqual(78);
      const email = await PostalMime.parse(source);
      expect(email.attachments[0]?.filename).toBe(name);
    }),
  );
});

describe('addresses', () => {
  test.each([
    ['kim@example.org', 'kim@example.org'],
    ['kim@bücher.example', 'kim@xn--bcher-kva.example'],
    ['a b@example.org', '"a b"@example.org'],
    ['a"b@example.org', '"a\\"b"@example.org'],
    ['.a@example.org', '".a"@example.org'],
    ['żółw@example.org', 'żółw@example.org'],
    ['a@exa mple>.org', 'a@example.org'],
    ['kim@example.org\r\nBcc: x@y.example', '"kim@example.orgBcc: x"@y.example'],
  ])('%j', (given, expected) => {
    expect(normalizeAddress(given)).toBe(expected);
  });
});

test('long lines are folded at blanks and unfold to the same text', () => {
  const value = 'word '.repeat(60).trim();
  const line = headerLine('X-Words', value);
  expect(Math.max(...line.split('\r\n').map((part) => part.length))).toBeLessThanOrEqual(76);
  expect(line.replaceAll('\r\n', '')).toBe(`X-Words: ${value}`);
});
