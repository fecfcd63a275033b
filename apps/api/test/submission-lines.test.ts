import { newId } from '@postrider/core/base/lib';
import { getEmail } from '@postrider/core/mail/sending';
import PostalMime from 'postal-mime';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  domain,
  idsOf,
  loggedIn,
  type SubmissionStack,
  startSubmissionStack,
  submit,
} from './submission-kit.ts';

let stack: SubmissionStack;
beforeAll(async () => {
  stack = await startSubmissionStack({}, { keepRaw: 'latin1' });
});
afterAll(() => stack.close());

const address = (): string => `${newId()}@people.example`;
const lines = (...all: (string | Buffer)[]): Buffer =>
  Buffer.concat(all.flatMap((line, at) => [...(at ? [Buffer.from('\r\n')] : []), Buffer.from(line)]));
const from = `From: Example Shop <hello@${domain}>`;

async function replyTo(message: Buffer, on = stack): Promise<string> {
  const client = await loggedIn(on.server.port, on.project.secretKey);
  const stuffed = message.toString('latin1').replace(/^\./gm, '..');
  const reply = await submit(client, [address()], Buffer.from(stuffed, 'latin1'));
  client.end();
  return reply;
}

/** Submits bytes, and gives the bytes that the server of the recipient received. */
async function roundTrip(message: Buffer, on = stack): Promise<Buffer> {
  const reply = await replyTo(message, on);
  expect(reply).toMatch(/^250 2\.0\.0 queued as /);
  const [delivered] = await on.delivered(idsOf(reply));
  return Buffer.from(delivered?.raw ?? '', 'latin1');
}

/** What a server on the way makes of lines that it may not pass on: it breaks them, after they were signed. */
function wrapped(message: Buffer): Buffer {
  const broken = message
    .toString('latin1')
    .split('\r\n')
    .map((line) => line.replace(/.{998}(?=.)/gs, '$&\r\n '));
  return Buffer.from(broken.join('\r\n'), 'latin1');
}

async function expectSigned(message: Buffer): Promise<void> {
  const longest = Math.max(
    ...message
      .toString('latin1')
      .split('\r\n')
      .map(({ length }) => length),
  );
  expect(longest).toBeLessThanOrEqual(998);
  expect(await stack.dkimOf(wrapped(message))).toBe(`pass ${domain}`);
}

/** What a reader sees: the texts and the files, also those of forwarded messages. */
async function shown(message: Buffer): Promise<unknown> {
  const { text, html, attachments } = await PostalMime.parse(message);
  const files = attachments.map(async ({ content, filename, mimeType }) => {
    const bytes = Buffer.from(content as ArrayBuffer);
    const inside = mimeType === 'message/rfc822' ? await shown(bytes) : bytes.toString('latin1').trimEnd();
    return { filename, mimeType, inside };
  });
  return { text: text?.trim(), html: html?.trim(), files: await Promise.all(files) };
}

const paragraph = (length: number): string => 'Lorem ipsum – dolor sit ämet, 日本語. '.repeat(length / 40);

describe('programs that write long lines', () => {
  const programs: [string, (length: number) => Buffer][] = [
    [
      'a webmail whose reply is one line of HTML in 8-bit',
      (length) =>
        lines(
          'MIME-Version: 1.0',
          from,
          'Subject: =?UTF-8?Q?Re=3A_Gr=C3=BC=C3=9Fe?=',
          'User-Agent: Webmail/1.6',
          'Content-Type: multipart/alternative;',
          ' boundary="=_4d2f"',
          '',
          '--=_4d2f',
          'Content-Transfer-Encoding: 8bit',
          'Content-Type: text/plain; charset=UTF-8;',
          ' format=flowed',
          '',
          paragraph(length),
          '--=_4d2f',
          'Content-Transfer-Encoding: 8bit',
          'Content-Type: text/html; charset=UTF-8',
          '',
          `<html><body style='font-size: 10pt'><p>${paragraph(length)}</p></body></html>`,
          '--=_4d2f--',
        ),
    ],
    [
      'a shop whose order confirmation is a single part of HTML',
      (length) =>
        lines(
          from,
          'Subject: Order',
          'MIME-Version: 1.0',
          'Content-Type: text/html; charset=utf-8',
          'Content-Disposition: inline',
          '',
          `<table>${'<tr><td>1 × Blume – 9,95 €</td></tr>'.repeat(length / 30)}</table>`,
        ),
    ],
    [
      'a password manager whose text and HTML are 7-bit templates',
      (length) =>
        lines(
          from,
          'Subject: New Device Logged In',
          'MIME-Version: 1.0',
          'Content-Type: multipart/alternative; boundary="Kq9p"',
          '',
          '--Kq9p',
          'Content-Type: text/plain; charset=utf-8',
          'Content-Transfer-Encoding: 7bit',
          '',
          `https://vault.shop.example/#/verify?token=${'ab0_'.repeat(length / 4)}`,
          '--Kq9p',
          'Content-Type: text/html; charset=utf-8',
          'Content-Transfer-Encoding: 7bit',
          '',
          `<a href="https://vault.shop.example/#/verify?token=${'ab0_'.repeat(length / 4)}">Verify = go</a>`,
          '--Kq9p--',
          '',
        ),
    ],
    [
      'a library of PHP with a text attachment in 8-bit and binary data in 7-bit',
      (length) =>
        lines(
          from,
          'X-Mailer: Library 6.9',
          'MIME-Version: 1.0',
          'Content-Type: multipart/mixed;',
          ' boundary="b1=_x"',
          'Content-Transfer-Encoding: 8bit',
          '',
          'This is a multi-part message in MIME format.',
          '--b1=_x',
          'Content-Type: text/plain; charset=us-ascii',
          '',
          'See the files.',
          '',
          '--b1=_x',
          'Content-Type: text/csv; name="orders.csv"',
          'Content-Transfer-Encoding: 8bit',
          'Content-Disposition: attachment; filename=orders.csv',
          '',
          Buffer.from(`a;${'ü;'.repeat(length / 2)}`, 'latin1'),
          '',
          '--b1=_x',
          'Content-Type: application/json; name=a.json',
          'Content-Disposition: attachment; filename=a.json',
          '',
          `{"a":"${'x'.repeat(length)}"}`,
          '--b1=_x--',
          '',
        ),
    ],
    [
      'a script that knows no MIME',
      (length) =>
        lines(from, 'Subject: report', '', `${'free 90% used '.repeat(length / 14)}`, '.', '.', 'end'),
    ],
    [
      'a mail program that forwards a message as an attachment',
      (length) =>
        lines(
          from,
          'User-Agent: Mail 128.0',
          'MIME-Version: 1.0',
          'Content-Type: multipart/mixed; boundary="------------0a"',
          '',
          'This is a multi-part message in MIME format.',
          '--------------0a',
          'Content-Type: text/plain; charset=UTF-8; format=flowed',
          'Content-Transfer-Encoding: 8bit',
          '',
          'Grüße',
          '--------------0a',
          'Content-Type: message/rfc822; name="old.eml"',
          'Content-Disposition: attachment; filename="old.eml"',
          'Content-Transfer-Encoding: 8bit',
          '',
          'From: other@people.example',
          'Subject: old',
          'MIME-Version: 1.0',
          'Content-Type: text/html; charset=utf-8',
          'Content-Transfer-Encoding: 8bit',
          '',
          `<p>${paragraph(length)}</p>`,
          '',
          '--------------0a--',
        ),
    ],
    [
      'an office program with nested parts, base64 in one line and a long list of recipients',
      (length) =>
        lines(
          from,
          `To: ${Array.from({ length: length / 30 }, (_, at) => `"Person ${at}" <p${at}@people.example>`).join(', ')}`,
          `Thread-Topic: ${'word '.repeat(length / 5)}`,
          'Content-Language: de-DE',
          'Content-Type: multipart/related; boundary="_004_"; type="multipart/alternative"',
          'MIME-Version: 1.0',
          '',
          '--_004_',
          'Content-Type: multipart/alternative; boundary="_000_"',
          '',
          '--_000_',
          'Content-Type: text/plain; charset="iso-8859-1"',
          'Content-Transfer-Encoding: quoted-printable',
          '',
          `Gr=FC=DFe ${'und mehr '.repeat(length / 9)}`,
          '--_000_',
          'Content-Type: text/html; charset="iso-8859-1"',
          'Content-Transfer-Encoding: quoted-printable',
          '',
          `<html><head><meta http-equiv=3D"Content-Type" content=3D"text/html; charset=3Diso-8859-1"></head><body>Gr=FC=DFe</body></html>`,
          '--_000_--',
          '',
          '--_004_',
          'Content-Type: image/png; name="image001.png"',
          'Content-Disposition: inline; filename="image001.png"',
          'Content-ID: <image001>',
          'Content-Transfer-Encoding: base64',
          '',
          Buffer.alloc(length, 'picture').toString('base64'),
          '--_004_--',
        ),
    ],
  ];

  it.each(
    programs.flatMap(([name, write]) => [999, 1_500, 6_000].map((length) => [name, length, write] as const)),
  )('%s, %d octets: the recipient reads the same, and the signature holds', async (_, length, write) => {
    const given = write(length);
    const received = await roundTrip(given);
    await expectSigned(received);
    expect(await shown(received)).toEqual(await shown(given));
  });
});

describe('what no server has to carry and cannot be changed', () => {
  it.each([
    [
      'a line in a signed part',
      [
        'Content-Type: multipart/signed; boundary=s',
        '',
        '--s',
        '',
        'x'.repeat(999),
        '--s',
        '',
        'sig',
        '--s--',
      ],
      'A signed part has a line of more than 998 octets',
    ],
    [
      'a line in a signed message that is forwarded',
      ['Content-Type: message/rfc822', '', 'Content-Type: application/pkcs7-mime', '', 'x'.repeat(999)],
      'A signed part has a line of more than 998 octets',
    ],
    [
      'a header line without a blank',
      [`X-Token: ${'x'.repeat(999)}`, '', 'body'],
      'The header field X-Token has a line of more than 998 octets without a blank to fold it at',
    ],
  ])('is refused at the door: %s', async (_, rest, reason) => {
    expect(await replyTo(lines(from, ...rest))).toBe(`550 5.6.0 ${reason}`);
  });

  it('is looked for only beyond 998 octets: a signed part of 998 stays byte for byte', async () => {
    const signed = lines(
      '--s',
      '',
      'x'.repeat(998),
      '--s',
      'Content-Type: application/pgp-signature',
      '',
      'sig',
      '--s--',
    );
    const received = await roundTrip(lines(from, 'Content-Type: multipart/signed; boundary=s', '', signed));
    expect(received.includes(signed)).toBe(true);
    await expectSigned(received);
  });

  it('is a Sender that stays where it was, behind a header line that was folded', async () => {
    const note = `X-Note: ${'word '.repeat(400)}end`;
    const received = await roundTrip(
      lines(note, `Sender: desk@${domain}`, from, `Sender-Note: x`, '', 'body'),
    );
    const header = received.toString('latin1').replaceAll('\r\n ', ' ');
    expect(header).toContain(note);
    expect(header).toContain(`\r\nSender: desk@${domain}\r\n`);
    const refused = await roundTrip(
      lines(note, 'Sender: desk@other.example', from, `Sender-Note: x`, '', 'body'),
    );
    expect(refused.toString('latin1').replaceAll('\r\n ', ' ')).toContain(`${note}\r\nFrom:`);
  });
});

describe('charsets', () => {
  /** A text in each, as its bytes. */
  const charsets: [string, string, string][] = [
    ['utf-8', 'Grüße 日本語', '4772c3bcc39f6520e697a5e69cace8aa9e'],
    ['iso-8859-1', 'Grüße', '4772fcdf65'],
    ['iso-8859-2', 'Łódź', 'a3f364bc'],
    ['iso-8859-15', '9 € Œ', '3920a420bc'],
    ['windows-1252', '“9 €”', '933920809 4'.replace(' ', '')],
    ['windows-1251', 'Привет', 'cff0e8e2e5f2'],
    ['koi8-r', 'Привет', 'f0d2c9d7c5d4'],
    ['iso-2022-jp', '日本', '1b2442467c4b5c1b2842'],
    ['shift_jis', '日本', '93fa967b'],
    ['euc-kr', '한국', 'c7d1b1b9'],
    ['gb18030', '中文€', 'd6d0cec4a2e3'],
    ['big5', '中文', 'a4a4a4e5'],
  ];
  const html = (text: Buffer, head = ''): Buffer =>
    Buffer.concat([
      Buffer.from(`<html><head>${head}</head><body><p>`),
      text,
      Buffer.from('</p><a href="https://shop.example/a">a</a></body></html>'),
    ]);
  const tracked = (type: string, body: Buffer): Buffer =>
    lines(
      'X-Postrider-Tracking: true',
      from,
      'MIME-Version: 1.0',
      type,
      'Content-Transfer-Encoding: 8bit',
      '',
      body,
    );

  it.each(charsets)('%s: a long line keeps its letters and its charset', async (charset, text, hex) => {
    const long = Buffer.concat(Array.from({ length: 300 }, () => Buffer.from(`${hex}61`, 'hex')));
    const received = await roundTrip(
      lines(from, 'MIME-Version: 1.0', `Content-Type: text/plain; charset=${charset}`, '', long),
    );
    await expectSigned(received);
    expect(received.toString('latin1')).toContain(`charset=${charset}\r\n`);
    expect((await PostalMime.parse(received)).text?.trim()).toBe(`${text}a`.repeat(300));
  });

  it.each(charsets)(
    '%s: HTML is tracked with its letters, also when only a meta names it',
    async (charset, text, hex) => {
      const meta = `<meta http-equiv="Content-Type" content="text/html; charset=${charset}">`;
      for (const [type, head] of [
        [`Content-Type: text/html; charset="${charset}"`, ''],
        ['Content-Type: text/html', meta],
        ['Content-Type: text/html', `<META CHARSET=${charset}>`],
        ['Content-Type: text/html; charset=us-ascii', meta],
      ] as const) {
        if (charset === 'iso-2022-jp' && type.includes('us-ascii')) continue;
        const received = await roundTrip(tracked(type, html(Buffer.from(hex, 'hex'), head)));
        const mail = await PostalMime.parse(received);
        expect(mail.html).toContain(`<p>${text}</p>`);
        expect(mail.html).toContain('/t/c/');
        expect(mail.html).not.toMatch(new RegExp(`charset="?(?!utf-8)${charset}`, 'i'));
        await expectSigned(received);
      }
    },
  );

  it.each([
    ['an unknown charset', 'Content-Type: text/html; charset=x-unknown', '4772fcdf65', ''],
    ['an unknown charset of a meta', 'Content-Type: text/html', '4772fcdf65', '<meta charset="x-klingon">'],
    ['no charset, and no UTF-8', 'Content-Type: text/html', '4772fcdf65', ''],
    ['bytes that its charset does not have', 'Content-Type: text/html; charset=utf-8', '4772fcdf65', ''],
  ])('with %s the message stays as it is, and is not tracked', async (_, type, hex, head) => {
    const body = html(Buffer.from(hex, 'hex'), head);
    const received = await roundTrip(tracked(type, body));
    expect(received.includes(body)).toBe(true);
    expect(received.toString('latin1')).not.toMatch(/\/t\/[co]\//);
    await expectSigned(received);
  });

  it.each([
    [
      'multipart/signed',
      ['Content-Type: multipart/signed; boundary=b', '', '--b', 'Content-Type: text/html; charset=utf-8', ''],
    ],
    [
      'multipart/encrypted',
      [
        'Content-Type: multipart/encrypted; boundary=b',
        '',
        '--b',
        'Content-Type: text/html; charset=utf-8',
        '',
      ],
    ],
    [
      'a forwarded message',
      [
        'Content-Type: multipart/mixed; boundary=b',
        '',
        '--b',
        'Content-Type: message/rfc822',
        '',
        'Content-Type: text/html',
        '',
      ],
    ],
  ])('HTML in %s is untouched: no links, no pixel', async (_, part) => {
    const body = lines(...part, html(Buffer.from('Grüße')), '--b--', '');
    const received = await roundTrip(lines('X-Postrider-Tracking: true', from, 'MIME-Version: 1.0', body));
    expect(received.includes(body)).toBe(true);
    await expectSigned(received);
  });
});

describe('a mail server without 8BITMIME', () => {
  let seven: SubmissionStack;
  beforeAll(async () => {
    seven = await startSubmissionStack({}, { keepRaw: 'latin1', behaviour: { eightBit: false } });
  });
  afterAll(() => seven.close());

  it('gets 8-bit parts encoded and signed so, without an attempt that counts, and the route remembers it', async () => {
    const message = lines(
      from,
      'MIME-Version: 1.0',
      'Content-Type: text/plain; charset=iso-8859-1',
      'Content-Transfer-Encoding: 8bit',
      '',
      Buffer.from('Grüße', 'latin1'),
    );
    const reply = await replyTo(message, seven);
    const [delivered] = await seven.delivered(idsOf(reply));
    const received = Buffer.from(delivered?.raw ?? '', 'latin1');
    expect(received.toString('latin1')).toMatch(/^[\0-\x7f]*$/);
    expect(received.toString('latin1')).toContain('Content-Transfer-Encoding: quoted-printable\r\n');
    expect((await PostalMime.parse(received)).text?.trim()).toBe('Grüße');
    expect(await seven.dkimOf(received)).toBe(`pass ${domain}`);
    const { prisma } = seven.test.services.database;
    const [id = ''] = idsOf(reply);
    await expect.poll(() => prisma.email.findUnique({ where: { id } })).toMatchObject({ status: 'SENT' });
    expect(await prisma.email.findUnique({ where: { id } })).toMatchObject({ attempts: 1 });
    await expect.poll(() => prisma.route.findFirst()).toMatchObject({ eightBit: false });
  });

  it('does not get a signed one, which fails', async () => {
    const reply = await replyTo(
      lines(from, 'Content-Type: multipart/signed; boundary=s', '', '--s', '', 'Grüße', '--s--'),
      seven,
    );
    const [id = ''] = idsOf(reply);
    await expect
      .poll(() => getEmail.run(seven.project.ctx, { id }))
      .toMatchObject({ status: 'FAILED', error: 'The mail server does not take 8-bit messages' });
    expect(seven.sink.find([id])).toEqual([]);
  });

  it('gets what is 7-bit as it was given', async () => {
    const message = lines(from, 'X-Kept:  a', '', 'body  ');
    expect((await roundTrip(message, seven)).includes(message)).toBe(true);
  });
});
