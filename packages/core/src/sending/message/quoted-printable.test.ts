import fc from 'fast-check';
import { expect, test } from 'vitest';
import { encodeQuotedPrintable, fixedPlaces } from './quoted-printable.ts';

const text = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 400 }),
  fc.string({
    unit: fc.constantFrom(
      'a',
      ' ',
      '\t',
      '=',
      '\n',
      '\r',
      '\r\n',
      '>',
      '<p',
      '</p>',
      '<',
      'é',
      '😀',
      '\ud800',
      'xxxxxxxxxxxx',
    ),
    maxLength: 200,
  }),
);

/** A decoder after RFC 2045 6.7. */
function decode(encoded: string): string {
  const bytes = encoded
    .replaceAll('=\r\n', '')
    .replace(/=([0-9A-F]{2})/g, (_match, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
  return Buffer.from(bytes, 'latin1').toString('utf8');
}

test('decodes to the input, line ends as CRLF', () => {
  fc.assert(
    fc.property(text, (given) => {
      expect(decode(encodeQuotedPrintable(given))).toBe(given.toWellFormed().replace(/\r\n|\r|\n/g, '\r\n'));
    }),
    { numRuns: 2_000 },
  );
});

test('lines have at most 76 characters, all of them printable, none ends in a blank', () => {
  fc.assert(
    fc.property(text, (given) => {
      for (const line of encodeQuotedPrintable(given).split('\r\n')) {
        expect(line.length).toBeLessThanOrEqual(76);
        expect(line).toMatch(/^[\t\x20-\x7e]*$/);
        expect(line).not.toMatch(/[ \t]$/);
      }
    }),
    { numRuns: 2_000 },
  );
});

test('text between fixed places is encoded the same in any surroundings', () => {
  fc.assert(
    fc.property(text, text, text, (before, middle, after) => {
      const places = fixedPlaces(middle);
      fc.pre(places !== null && places[1] < middle.length);
      const [first, last] = places;
      const whole = before + middle + after;
      const pieces =
        encodeQuotedPrintable(whole, 0, before.length + first) +
        encodeQuotedPrintable(middle, first, last) +
        encodeQuotedPrintable(whole, before.length + last);
      expect(pieces).toBe(encodeQuotedPrintable(whole));
    }),
    { numRuns: 2_000 },
  );
});
