import { describe, expect, it } from 'vitest';
import { partsOf, readParts, textOf } from './message-parts.ts';

const message = (...lines: string[]): Buffer => Buffer.from(lines.join('\r\n'), 'latin1');
const textsOf = (raw: Buffer): string[] => partsOf(raw).map((part) => textOf(raw, part));

const nested = (outer: string, inner: string): Buffer =>
  message(
    `Content-Type: multipart/mixed; boundary="${outer}"`,
    '',
    `--${outer}`,
    `Content-Type: multipart/alternative; boundary="${inner}"`,
    '',
    `--${inner}`,
    'Content-Type: text/plain',
    '',
    'plain',
    `--${inner}`,
    'Content-Type: text/html',
    '',
    '<p>html</p>',
    `--${inner}--`,
    `--${outer}`,
    'Content-Type: application/pdf; name=a.pdf',
    '',
    'file',
    `--${outer}--`,
    'epilogue',
  );

/** Characters that a boundary may have (RFC 2046 5.1.1). */
const boundaryCharacters = [..."0Zz'()+_,-./:=?"];

describe('a boundary that begins another', () => {
  it.each(boundaryCharacters.map((more) => [`x${more}`]))('x and %s: every part is found', (inner) => {
    expect(textsOf(nested('x', inner))).toEqual(['plain', '<p>html</p>', 'file']);
  });

  it('the other way round too', () => {
    expect(textsOf(nested('part_10', 'part_1'))).toEqual(['plain', '<p>html</p>', 'file']);
  });

  it('a line that only begins like a delimiter is text', () => {
    const raw = message(
      'Content-Type: multipart/mixed; boundary=x',
      '',
      '--x',
      '',
      'hello',
      '--xyz',
      '--x y',
      '--x--',
    );
    expect(textsOf(raw)).toEqual(['hello\r\n--xyz\r\n--x y']);
  });

  it('blanks may follow a delimiter', () => {
    const raw = message(
      'Content-Type: multipart/mixed; boundary=x',
      '',
      '--x \t',
      '',
      'one',
      `--x${' '.repeat(300)}`,
      '',
      'two',
      '--x-- ',
      'after',
    );
    expect(textsOf(raw)).toEqual(['one', 'two']);
  });
});

describe('a message without its end', () => {
  it.each([
    ['without the closing delimiter', ['--x', '', 'one', '--x', '', 'two'], ['one', 'two']],
    ['that ends with a delimiter', ['--x', '', 'one', '--x'], ['one']],
    ['without any delimiter', ['text'], []],
  ])('%s', (_, body, texts) => {
    expect(textsOf(message('Content-Type: multipart/mixed; boundary=x', '', ...body))).toEqual(texts);
  });
});

it('a boundary of more than 200 characters is none', () => {
  const [fits, tooLong] = [200, 201].map((length) => nested('x'.repeat(length), 'y'));
  expect(fits && textsOf(fits)).toHaveLength(3);
  expect(tooLong && textsOf(tooLong)).toHaveLength(1);
});

describe('limits', () => {
  const limits = { parts: 3, depth: 2, headerBytes: 100 };
  const flat = (count: number): Buffer =>
    message(
      'Content-Type: multipart/mixed; boundary=x',
      '',
      ...Array(count).fill('--x\r\n\r\ntext'),
      '--x--',
    );

  it('parts beyond them are not read', () => {
    expect(readParts(flat(3), limits)).toMatchObject({ isCut: false, parts: { length: 3 } });
    expect(readParts(flat(4), limits)).toMatchObject({ isCut: true, parts: { length: 3 } });
  });

  it('parts that hold others count, also empty ones', () => {
    const empty = message(
      'Content-Type: multipart/mixed; boundary=x',
      '',
      ...Array(4).fill('--x\r\nContent-Type: multipart/mixed; boundary=y\r\n'),
    );
    expect(readParts(empty, limits)).toMatchObject({ isCut: true, parts: { length: 0 } });
  });

  it('what is nested deeper is one part', () => {
    const open = (depth: number): Buffer =>
      message(
        ...Array.from({ length: depth }, (_, at) =>
          [`Content-Type: multipart/mixed; boundary=x${at}`, '', `--x${at}`].join('\r\n'),
        ),
        '',
        'text',
      );
    expect(readParts(open(2), limits)).toMatchObject({ isCut: false, parts: [{ type: 'text/plain' }] });
    expect(readParts(open(3), limits)).toMatchObject({ isCut: true, parts: [{ type: 'multipart/mixed' }] });
  });

  it('a header is read as far as they go', () => {
    const raw = message(`X-Long: ${'x'.repeat(120)}`, 'Content-Type: text/html', '', 'text');
    expect(readParts(raw, limits)).toMatchObject({ isCut: true, parts: [{ type: 'text/plain' }] });
  });
});

it('blanks at the ends of quoted-printable lines are no text (RFC 2045 6.7)', () => {
  const raw = message(
    'Content-Transfer-Encoding: quoted-printable',
    '',
    'a  \t',
    'b=',
    'c =',
    'd=20',
    'e   ',
  );
  expect(textsOf(raw)).toEqual(['a\r\nbc d \r\ne']);
});
