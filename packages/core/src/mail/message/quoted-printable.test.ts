import fc from '@postrider/vitest/fast-check.ts';
import { expect, test } from 'vitest';
import { encodeQuotedPrintable, QuotedPrintableWriter } from './quoted-printable.ts';

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

test('no line begins with a dot, which SMTP would double', () => {
  fc.assert(
    fc.property(fc.string({ unit: fc.constantFrom('.', 'a', '\n', 'xxxxxxxxxxxxxxxxxxxxxx') }), (given) => {
      expect(encodeQuotedPrintable(given)).not.toMatch(/(^|\n)\./);
      expect(decode(encodeQuotedPrintable(given))).toBe(given.replaceAll('\n', '\r\n'));
    }),
  );
});

test('a text written in pieces decodes to the whole, wherever a line is begun', () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(text, fc.boolean())), (pieces) => {
      const writer = new QuotedPrintableWriter();
      for (const [piece, begins] of pieces) {
        writer.write(piece.replaceAll('\r', '').toWellFormed(), false);
        if (begins) writer.beginLine();
      }
      const whole = pieces.map(([piece]) => piece.replaceAll('\r', '').toWellFormed()).join('');
      expect(decode(writer.out)).toBe(whole.replaceAll('\n', '\r\n'));
      for (const line of writer.out.split('\r\n')) expect(line.length).toBeLessThanOrEqual(76);
    }),
  );
});
