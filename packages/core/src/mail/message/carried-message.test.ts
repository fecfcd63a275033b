import { randomBytes } from 'node:crypto';
import PostalMime, { type Email } from 'postal-mime';
import { describe, expect, it, test } from 'vitest';
import { asSevenBit, withShortLines } from './carried-message.ts';
import { fromQuotedPrintable, quotedPrintableOf } from './transfer-encodings.ts';

const lines = (...all: (string | Buffer)[]): Buffer =>
  Buffer.concat(all.flatMap((line, at) => [...(at ? [Buffer.from('\r\n')] : []), Buffer.from(line)]));
const longest = (message: Buffer): number =>
  Math.max(
    ...message
      .toString('latin1')
      .split('\r\n')
      .map((line) => line.length),
  );
const head = ['From: a@shop.example', 'MIME-Version: 1.0'];
const contents = ({ text, html, attachments }: Email): unknown[] => [
  text?.trimEnd(),
  html?.trimEnd(),
  ...attachments.map(({ content, mimeType, filename }) => [
    mimeType,
    filename,
    // The parser ends a part without an encoding with a line end of its own.
    Buffer.from(content as ArrayBuffer)
      .toString('latin1')
      .trimEnd(),
  ]),
];
/** The same content, in lines that every server carries. */
async function expectCarried(message: Buffer): Promise<Buffer> {
  const carried = withShortLines(message);
  expect(longest(carried)).toBeLessThanOrEqual(998);
  expect(contents(await PostalMime.parse(carried))).toEqual(contents(await PostalMime.parse(message)));
  return carried;
}

describe('lines of more than 998 octets', () => {
  it.each([997, 998])('%d octets are left as they are, byte for byte', (length) => {
    const message = lines(
      ...head,
      'X-Long: '.padEnd(length, 'x'),
      '',
      'y'.repeat(length),
      '',
      'z'.repeat(length),
    );
    expect(withShortLines(message)).toBe(message);
  });

  it.each([999, 1_000, 1_500, 6_000, 100_000])('of %d octets are encoded in text', async (length) => {
    const carried = await expectCarried(
      lines(
        ...head,
        'Content-Type: text/plain; charset=utf-8',
        '',
        'before',
        `Grüße ${'x '.repeat(length / 2)}`,
        '.',
        ' end ',
      ),
    );
    expect(carried.toString('latin1')).toMatch(/^Content-Transfer-Encoding: quoted-printable\r$/m);
  });

  test('text keeps its charset and its bytes, whatever they are', () => {
    const body = Buffer.concat([
      randomBytes(3_000).map((byte) => (byte === 10 || byte === 13 || byte === 0 ? 65 : byte)),
    ]);
    const carried = withShortLines(lines(...head, 'Content-Type: text/plain; charset=koi8-r', '', body));
    const encoded = carried.subarray(carried.indexOf('\r\n\r\n') + 4);
    expect(fromQuotedPrintable(encoded)).toEqual(body);
    expect(carried.toString('latin1')).toContain('charset=koi8-r');
  });

  test('only the part that has one changes; order, headers, preamble and other parts are the same bytes', async () => {
    const message = lines(
      ...head,
      'Content-Type: multipart/mixed; boundary="b 1"',
      '',
      'This is a message in MIME format.',
      '--b 1  ',
      'Content-Type: text/plain; charset=iso-8859-1',
      'Content-Transfer-Encoding: 8bit',
      '',
      Buffer.from('Grüße', 'latin1'),
      '--b 1',
      'Content-Type: text/csv; charset=utf-8; name=a.csv',
      'Content-Disposition: attachment; filename=a.csv',
      'content-transfer-encoding: 7BIT',
      'X-Kept:  as   it is',
      '',
      'a;'.repeat(2_000),
      '--b 1',
      'Content-Type: application/octet-stream; name=b.bin',
      '',
      'b'.repeat(3_000),
      '--b 1--',
      'after',
    );
    const carried = await expectCarried(message);
    const from = message.indexOf('Content-Type: text/csv');
    expect(carried.subarray(0, from)).toEqual(message.subarray(0, from));
    const text = carried.toString('latin1');
    expect(text).toContain('X-Kept:  as   it is\r\nContent-Transfer-Encoding: quoted-printable\r\n\r\na;');
    expect(text.match(/content-transfer-encoding/gi)).toHaveLength(3);
    expect(text).toContain(
      'Content-Type: application/octet-stream; name=b.bin\r\nContent-Transfer-Encoding: base64\r\n\r\n',
    );
    expect(text.endsWith('\r\n--b 1--\r\nafter')).toBe(true);
  });

  test('base64 is only broken into lines', async () => {
    const base64 = randomBytes(5_000).toString('base64');
    const carried = await expectCarried(
      lines(
        ...head,
        'Content-Type: application/pdf; name=a.pdf',
        'Content-Transfer-Encoding: base64',
        '',
        base64,
      ),
    );
    expect(carried.toString('latin1').replaceAll('\r\n', '')).toContain(base64);
    expect(longest(carried)).toBe(76);
  });

  test('quoted-printable with long lines is encoded anew', async () => {
    await expectCarried(
      lines(
        ...head,
        'Content-Type: text/html; charset=utf-8',
        'Content-Transfer-Encoding: quoted-printable',
        '',
        `<p>Gr=C3=BC=C3=9Fe =3D ${'long '.repeat(400)}=`,
        'end</p>',
      ),
    );
  });

  test('a message without MIME-Version gets it with its encoding, so that readers decode it', async () => {
    const carried = await expectCarried(lines('From: a@shop.example', '', 'x '.repeat(900)));
    expect(carried.toString()).toContain(
      'Content-Transfer-Encoding: quoted-printable\r\nMIME-Version: 1.0\r\n\r\n',
    );
  });

  test('a forwarded message has its own part encoded, as the whole must not be', async () => {
    const inner = lines(
      'From: b@shop.example',
      'MIME-Version: 1.0',
      'Content-Type: text/plain',
      '',
      'i '.repeat(700),
    );
    const message = lines(
      ...head,
      'Content-Type: multipart/mixed; boundary=b',
      '',
      '--b',
      'Content-Type: message/rfc822',
      'Content-Transfer-Encoding: 7bit',
      '',
      inner,
      '--b--',
    );
    const carried = withShortLines(message).toString();
    expect(longest(Buffer.from(carried))).toBeLessThanOrEqual(998);
    expect(carried).toContain(
      'Content-Type: message/rfc822\r\nContent-Transfer-Encoding: 7bit\r\n\r\nFrom: b@',
    );
    expect(carried).toContain(
      'Content-Type: text/plain\r\nContent-Transfer-Encoding: quoted-printable\r\n\r\ni i',
    );
  });

  it.each([
    ['multipart/signed', 'Content-Type: multipart/signed; boundary=s'],
    ['multipart/encrypted', 'Content-Type: multipart/encrypted; boundary=s'],
    [
      'S/MIME',
      'Content-Type: application/pkcs7-mime; smime-type=signed-data\r\nContent-Transfer-Encoding: base64',
    ],
  ])('in %s refuse the message, also within another one', (_, type) => {
    const body = ['', '--s', '', 'x'.repeat(999), '--s--'];
    const whole = lines(...head, type, ...body);
    expect(() => withShortLines(whole)).toThrow('A signed part has a line of more than 998 octets');
    const forwarded = lines(...head, 'Content-Type: message/rfc822', '', whole);
    expect(() => withShortLines(forwarded)).toThrow('A signed part has a line of more than 998 octets');
  });

  test('a signed part without one stays byte for byte beside a part that is encoded', () => {
    const signed = lines(
      'Content-Type: multipart/signed; boundary=s',
      '',
      '--s',
      '',
      'signed ',
      '--s',
      '',
      'sig',
      '--s--',
    );
    const carried = withShortLines(
      lines(
        ...head,
        'Content-Type: multipart/mixed; boundary=b',
        '',
        '--b',
        signed,
        '--b',
        '',
        'y'.repeat(2_000),
        '--b--',
      ),
    );
    expect(carried.includes(signed)).toBe(true);
    expect(longest(carried)).toBeLessThanOrEqual(998);
  });

  test('what stands around the parts is left out where it has one', async () => {
    const long = 'p'.repeat(1_200);
    const carried = await expectCarried(
      lines(
        ...head,
        'Content-Type: multipart/mixed; boundary=b',
        '',
        long,
        `--b${' '.repeat(1_200)}`,
        '',
        'one',
        '--b',
        '',
        'two',
        '--b--',
        long,
      ),
    );
    expect(carried.toString()).toContain('boundary=b\r\n\r\n--b\r\n\r\none\r\n--b\r\n\r\ntwo\r\n--b--\r\n');
  });

  test('an encoding that is not known is not changed', () => {
    const message = lines(...head, 'Content-Transfer-Encoding: x-uuencode', '', 'M'.repeat(1_200));
    expect(() => withShortLines(message)).toThrow(/is in the encoding x-uuencode, which cannot be changed/);
  });
});

describe('header lines of more than 998 octets', () => {
  it.each([
    ['words', `Subject: ${'Grüße '.repeat(400)}end`],
    ['a word after the colon', `X-Token: ${'x'.repeat(995)}`],
    ['two words', `X-Token: ${'x'.repeat(900)} ${'y'.repeat(900)}`],
    ['folded ones', `References: <a@b>\r\n\t${'<abc@def> '.repeat(300)}<end@b>\r\n x`],
    ['many blanks', `X-Note: ${'a'.repeat(500)}${' '.repeat(400)}${'b'.repeat(500)}`],
  ])('are folded at blanks and unfold to the same: %s', (_, field) => {
    const carried = withShortLines(lines(field, ...head, '', 'body'));
    expect(longest(carried)).toBeLessThanOrEqual(998);
    const header = carried.toString().split('\r\n\r\n')[0] ?? '';
    expect(header.split('\r\n').every((line) => line.trim() !== '')).toBe(true);
    expect(header.split(/\r\n(?![ \t])/)[0]?.replaceAll('\r\n', '')).toBe(field.replaceAll('\r\n', ''));
  });

  test('blanks alone never become an empty line, which would end the header', () => {
    const carried = withShortLines(lines(`Subject: a\r\n${' '.repeat(1_500)}\r\n b`, ...head, '', 'body'));
    expect(carried.toString()).toBe(lines('Subject: a\r\n b', ...head, '', 'body').toString());
  });

  test('without a blank refuse the message, and name the field', () => {
    expect(() => withShortLines(lines(`X-Token: ${'x'.repeat(999)}`, ...head, '', 'body'))).toThrow(
      'The header field X-Token has a line of more than 998 octets without a blank to fold it at',
    );
  });

  test('of parts and of forwarded messages as well', () => {
    const long = `Content-Description: ${'word '.repeat(300)}`;
    const part = lines(
      'Content-Type: message/rfc822',
      long,
      '',
      `To: ${'<a@b.example>, '.repeat(100)}`,
      '',
      'inner',
    );
    const carried = withShortLines(
      lines(...head, 'Content-Type: multipart/mixed; boundary=b', '', '--b', part, '--b--'),
    );
    expect(longest(carried)).toBeLessThanOrEqual(998);
    expect(carried.toString().replaceAll('\r\n ', ' ')).toContain(long.trimEnd());
  });
});

describe('a message for a server without 8BITMIME', () => {
  test('has its 8-bit parts encoded, and says so of what holds them', async () => {
    const message = lines(
      ...head,
      'Content-Type: multipart/mixed; boundary=b',
      'Content-Transfer-Encoding: 8bit',
      '',
      'Ein Brief in Teilen für MIME',
      '--b',
      'Content-Type: text/html; charset=windows-1252',
      'Content-Transfer-Encoding: 8bit',
      '',
      Buffer.from('<p>Grüße</p>', 'latin1'),
      '--b',
      'Content-Type: message/rfc822',
      'Content-Transfer-Encoding: 8bit',
      '',
      'Subject: inner',
      'Content-Type: application/json',
      '',
      '{"a":"ü"}',
      '--b--',
      '',
    );
    const carried = asSevenBit(message);
    expect(carried.toString('latin1')).toMatch(/^[\0-\x7f]*$/);
    expect(
      carried
        .toString()
        .match(/content-transfer-encoding: \S+/gi)
        ?.map((field) => field.split(' ')[1]),
    ).toEqual(['7bit', 'quoted-printable', '7bit', 'base64']);
    expect((await PostalMime.parse(carried)).html).toContain('<p>Grüße</p>');
  });

  it.each([
    ['a signed part', ['Content-Type: multipart/signed; boundary=s', '', '--s', '', 'Grüße', '--s--']],
    [
      'the header of a part',
      ['Content-Type: multipart/mixed; boundary=b', '', '--b', 'Content-Description: ü', '', 'x', '--b--'],
    ],
  ])('is refused with 8-bit text in %s', (_, part) => {
    expect(() => asSevenBit(lines(...head, ...part))).toThrow('The mail server does not take 8-bit messages');
  });
});

test('quoted-printable of any bytes decodes to the same, in lines of at most 76 characters', () => {
  for (const text of [
    '',
    '.',
    'a \r\n\t\r\n',
    `${'. '.repeat(200)}\r\n.`,
    '\r',
    '\n',
    '=',
    randomBytes(5_000).toString('latin1'),
  ]) {
    const bytes = Buffer.from(text, 'latin1');
    const encoded = quotedPrintableOf(bytes);
    expect(fromQuotedPrintable(encoded)).toEqual(bytes);
    expect(longest(encoded)).toBeLessThanOrEqual(76);
    expect(encoded.toString('latin1')).not.toMatch(/[ \t]\r\n|^\.|[ \t]$/m);
  }
});

test('quoted-printable is decoded as readers do: blanks at the end of a line and soft breaks with blanks are no content', () => {
  const decode = (text: string): string => fromQuotedPrintable(Buffer.from(text)).toString('latin1');
  expect(decode('a= \t\r\nb \t\r\nc=3d=3D=zz=')).toBe('ab\r\nc===zz=');
  expect(decode('a  b =')).toBe('a  b =');
});
