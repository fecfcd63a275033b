import { randomBytes } from 'node:crypto';
import { newId } from '@postrider/core/base/lib';
import { getEmail, previewEmail, sweepAttachments, sweepContents } from '@postrider/core/mail/sending';
import { getEmailSource } from '@postrider/core/mail/submission';
import { waitingMail } from '@postrider/core/testing';
import PostalMime from 'postal-mime';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  domain,
  idsOf,
  loggedIn,
  type SubmissionStack,
  sender,
  startSubmissionStack,
  submit,
} from './submission-kit.ts';

let stack: SubmissionStack;
beforeAll(async () => {
  stack = await startSubmissionStack();
});
afterAll(() => stack.close());

const address = (): string => `${newId()}@people.example`;
const emailOf = (id = '') => stack.test.services.database.prisma.email.findUniqueOrThrow({ where: { id } });
const headerOf = (raw: string): string => raw.slice(0, raw.indexOf('\r\n\r\n') + 2);
const bodyOf = (raw: string): string => raw.slice(raw.indexOf('\r\n\r\n') + 4);

/** Submits bytes, and gives what the sink received. */
async function roundTrip(message: string, to = [address()]): Promise<string> {
  const client = await loggedIn(stack.server.port, stack.project.secretKey);
  const reply = await submit(client, to, message);
  client.end();
  expect(reply).toMatch(/^250 2\.0\.0 queued as /);
  const [delivered] = await stack.delivered(idsOf(reply).slice(0, 1));
  return delivered?.raw ?? '';
}

const lines = (...all: string[]): string => all.join('\r\n');

describe('a message arrives as it was given', () => {
  it('with binary attachments, UTF-8 names, alternatives and inline images', async () => {
    const files = [randomBytes(200_000), randomBytes(3_000)] as const;
    const to = address();
    const html = `<p>Grüße &amp; ${'long '.repeat(400)}<a href="https://shop.example/a?b=1&amp;c=2">link</a></p>`;
    const reply = await stack.send({
      from: sender,
      to: `Kim Müller <${to}>`,
      subject: 'Größe und 日本語',
      text: `Grüße\n.\n..two dots\n${'x'.repeat(2_000)}`,
      html,
      headers: { 'X-Shop': 'a  b', 'List-Unsubscribe': '<https://shop.example/u>' },
      attachments: [
        { filename: 'Größe 日本.pdf', content: files[0] },
        { filename: 'logo.png', cid: 'logo@shop', content: files[1] },
      ],
    });
    const ids = idsOf(reply);
    expect(reply).toBe(`250 2.0.0 queued as ${ids[0]}`);
    const [message] = await stack.delivered(ids);
    const raw = message?.raw ?? '';
    expect(message).toMatchObject({ to: [to], emailId: ids[0] });
    const mail = await PostalMime.parse(raw);
    expect(mail).toMatchObject({
      subject: 'Größe und 日本語',
      from: { address: `hello@${domain}`, name: 'Example Shop' },
    });
    expect(mail.html?.trim()).toBe(html);
    const received = new Map(mail.attachments.map((each) => [each.filename, each.content as ArrayBuffer]));
    for (const [name, bytes] of [
      ['Größe 日本.pdf', files[0]],
      ['logo.png', files[1]],
    ] as const)
      expect(Buffer.from(received.get(name) ?? new ArrayBuffer()).equals(bytes)).toBe(true);
    expect(headerOf(raw)).toContain('X-Shop: a  b\r\n');
    expect(await stack.dkimOf(raw)).toBe(`pass ${domain}`);
    expect(await emailOf(ids[0])).toMatchObject({
      to,
      toName: 'Kim Müller',
      subject: 'Größe und 日本語',
      type: 'TRANSACTIONAL',
      sourceType: 'TRANSACTIONAL',
      tracked: false,
    });
  });

  it('byte for byte: folds, blanks, lines that begin with dots, 8-bit text, lines of 998 octets and a missing final line end', async () => {
    const header = lines(
      `from: "Shop"  <hello@${domain}>`,
      'To: undisclosed:;',
      'Subject:   two  blanks\tand a tab\u00a0',
      'X-Folded: one',
      '\ttwo  ',
      'Message-Id: <given@shop.example>',
      'Date: Thu, 1 Jan 2026 00:00:00 +0000',
      'MIME-Version: 1.0',
      'Content-Type: text/plain; charset=utf-8',
      'Content-Transfer-Encoding: 8bit',
      '',
    );
    const body = lines(
      '.',
      '..',
      '.leading',
      'trailing  \t',
      'Grüße \u{1f600}',
      'y'.repeat(998),
      '',
      'end ',
      '',
      '',
      '',
    );
    const stuffed = body.replace(/^\./gm, '..');
    const raw = await roundTrip(`${header}\r\n${stuffed.slice(0, -2)}`);
    expect(bodyOf(raw)).toBe(body);
    expect(raw.slice(raw.indexOf('from: '), raw.indexOf('\r\n\r\n') + 2)).toBe(header);
    expect(headerOf(raw).slice(0, raw.indexOf('from: '))).toMatch(
      /^DKIM-Signature: [\s\S]*\r\nX-Postrider-Email: \S{36}\r\nX-Postrider-Proof: [a-z2-7]{10}\r\n$/,
    );
    expect(await stack.dkimOf(raw)).toBe(`pass ${domain}`);
  });

  it.each([
    ['an empty body', ''],
    ['a body of blanks', ' \t \r\n\r\n'],
    ['blanks at every place', ' a  b\t\tc \r\n\r\n \r\n d\t'],
  ])('signed, with %s', async (_, body) => {
    const raw = await roundTrip(`From: hello@${domain}\r\nSubject: x\r\n\r\n${body}`);
    expect(await stack.dkimOf(raw)).toBe(`pass ${domain}`);
  });

  it('with a Message-ID and a date of the platform only where there is none', async () => {
    const raw = await roundTrip(`From: hello@${domain}\r\nSubject: x\r\n\r\nHello`);
    const id = /^X-Postrider-Email: (.*)\r$/m.exec(raw)?.[1];
    expect(raw).toContain(`Message-ID: <${id}@${domain}>\r\n`);
    expect(raw).toMatch(/^Date: \w{3}, \d\d \w{3} \d{4} \d\d:\d\d:\d\d \+0000\r$/m);
    expect(await emailOf(id)).toMatchObject({ subject: 'x' });
  });

  it('without Bcc and without fields that speak to the platform', async () => {
    const raw = await roundTrip(
      lines(
        'X-Postrider-Email: forged',
        'x-postrider-test: true',
        'X-Postrider-Proof: forged',
        'Bcc: hidden@people.example,',
        ' other@people.example',
        `From: hello@${domain}`,
        'X-Postrider-Tracking: false',
        'Subject: x',
        '',
        'Bcc: this is text',
      ),
    );
    expect(raw.match(/x-postrider-[^:]*/gi)).toEqual(['X-Postrider-Email', 'X-Postrider-Proof']);
    expect(raw).not.toContain('forged');
    expect(headerOf(raw)).not.toMatch(/bcc|hidden|other@/i);
    expect(bodyOf(raw)).toBe('Bcc: this is text\r\n');
  });

  it('each recipient of the envelope gets the message, and has an email and a contact', async () => {
    const to = [address(), address(), `${newId()}@GRÜN.example`];
    const reply = await stack.send({
      envelope: { from: '', to },
      raw: `From: ${sender}\r\nTo: Kim <${to[0]}>\r\n\r\nHi`,
    });
    const ids = idsOf(reply);
    expect(reply).toBe(`250 2.0.0 queued as ${ids.join(' ')}`);
    expect((await stack.delivered(ids)).map((message) => message.to[0])).toEqual(
      expect.arrayContaining([to[0], to[1], to[2]?.toLowerCase().replace('grün', 'xn--grn-ioa')]),
    );
    const emails = await Promise.all(ids.map((id) => emailOf(id)));
    expect(emails.map((email) => email.toName)).toEqual(['Kim', null, null]);
    expect(new Set(emails.map(({ contentId }) => contentId)).size).toBe(1);
    const contact = await stack.test.services.database.prisma.contact.findFirstOrThrow({
      where: { email: to[0] ?? '' },
    });
    expect(contact).toMatchObject({ projectId: stack.project.id, subscribed: false, data: { name: 'Kim' } });
  });

  it('1,000 recipients are one message, whose reply has several lines', async () => {
    const to = Array.from({ length: 1_000 }, () => address());
    const client = await loggedIn(stack.server.port, stack.project.secretKey);
    const commands = to.map((each) => `RCPT TO:<${each}>\r\n`).join('');
    client.write(`MAIL FROM:<>\r\n${commands}RCPT TO:<one-more@people.example>\r\nDATA\r\n`);
    const replies: string[] = [];
    while (replies.length < 1_003) replies.push(await client.reply());
    expect(new Set(replies.slice(1, 1_001))).toEqual(new Set(['250 2.1.5 Accepted']));
    expect(replies[1_001]).toMatch(/^452 4\.5\.3 /);
    const reply = await client.say(`From: hello@${domain}\r\nSubject: many\r\n\r\nHi\r\n.`);
    client.end();
    expect(reply).toMatch(/^250-2\.0\.0 queued as /);
    for (const line of reply.split('\n')) expect(line.length).toBeLessThanOrEqual(510);
    expect(new Set(idsOf(reply)).size).toBe(1_000);
  });
});

describe('the email of a submission', () => {
  const preview = (id = '') => previewEmail.run(stack.project.ctx, { id });
  const sourceOf = (id = '') => getEmailSource.run(stack.project.ctx, { id });

  it('shows subject, HTML, text and the message as they were given, and nothing in them is a variable', async () => {
    const html = '<p>Hi {{name}} {% if x %}</p>';
    const mail = { from: sender, to: address(), subject: '{{email}} é', text: 'Hi {{name}}', html };
    const [id] = idsOf(await stack.send({ ...mail, bcc: 'hidden@people.example' }));
    expect(await preview(id)).toEqual({ subject: mail.subject, html, text: mail.text });
    expect(await getEmail.run(stack.project.ctx, { id: id ?? '' })).toMatchObject({
      subject: mail.subject,
      from: `hello@${domain}`,
      fromName: 'Example Shop',
      messageId: expect.stringMatching(/^<[^>]+@[^>]+>$/),
    });
    const { source } = await sourceOf(id);
    expect(source).toContain('Content-Type: multipart/alternative;');
    expect(source).not.toContain('hidden');
  });

  it('of a text without HTML has no HTML, and of one without text has no text', async () => {
    const [plain] = idsOf(await stack.send({ from: sender, to: address(), subject: 'x', text: 'Grüße' }));
    expect(await preview(plain)).toEqual({ subject: 'x', html: null, text: 'Grüße\r\n' });
    const [page] = idsOf(await stack.send({ from: sender, to: address(), subject: 'x', html: '<p>Hi</p>' }));
    expect(await preview(page)).toMatchObject({ html: expect.stringContaining('<p>Hi</p>'), text: null });
  });

  it('keeps its message until a day after it was sent, and its texts for 90 days', async () => {
    const { services } = stack.test;
    const [id] = idsOf(await stack.send({ from: sender, to: address(), subject: 'kept', html: '<p>Hi</p>' }));
    const email = await emailOf(id);
    await stack.delivered([email.id]);
    const inDays = (days: number) => new Date(Date.now() + days * 86_400_000);
    await sweepAttachments(services, inDays(1), 1_000);
    expect((await sourceOf(id)).source).toContain('Subject: kept');
    await sweepAttachments(services, inDays(4), 1_000);
    expect((await sourceOf(id)).source).toBeNull();
    expect(await preview(id)).toMatchObject({ html: expect.stringContaining('<p>Hi</p>') });
    // The message arrives before its result is stored, and is open until then.
    await expect
      .poll(async () => {
        await sweepContents(services, inDays(98), 1_000);
        return preview(id);
      })
      .toEqual({ subject: 'kept', html: null, text: null });
  });
});

describe('tracking', () => {
  const html = (link: string): string => `<html><body><p>Grüße <a href="${link}">a</a></p></body></html>`;

  it('puts links and a pixel into the HTML part, and leaves the other parts as they are', async () => {
    const file = randomBytes(5_000);
    const reply = await stack.send({
      from: sender,
      to: address(),
      subject: 'x',
      text: 'https://shop.example/',
      html: html('https://shop.example/?a=1&amp;b=2'),
      attachments: [
        { filename: 'page.html', content: html('https://shop.example/') },
        { filename: 'a.bin', content: file },
      ],
      headers: { 'X-Postrider-Tracking': 'true' },
    });
    const [message] = await stack.delivered(idsOf(reply));
    const mail = await PostalMime.parse(message?.raw ?? '');
    expect(mail.html).toMatch(
      /<p>Grüße <a href="http:\/\/localhost:3000\/t\/c\/[^"]+">a<\/a><\/p><img [^>]*\/t\/o\/[^>]+>/,
    );
    expect(mail.text?.trim()).toBe('https://shop.example/');
    expect(mail.attachments.map(({ content }) => Buffer.from(content as ArrayBuffer))).toEqual([
      Buffer.from(html('https://shop.example/')),
      file,
    ]);
    expect(await stack.dkimOf(message?.raw ?? '')).toBe(`pass ${domain}`);
  });

  it.each([
    [
      'a message that is HTML alone',
      `Content-Type: text/html; charset=iso-8859-1\r\nContent-Transfer-Encoding: base64\r\n`,
      'base64',
    ],
    ['a message without tracking', 'Content-Type: text/html; charset=utf-8\r\n', 'none'],
  ])('%s', async (_, type, encoding) => {
    const latin = Buffer.from(html('https://shop.example/'), 'latin1').toString('base64');
    const text = encoding === 'base64' ? latin : html('https://shop.example/');
    const tracking = encoding === 'base64' ? 'X-Postrider-Tracking: TRUE\r\n' : '';
    const raw = await roundTrip(
      `${tracking}From: hello@${domain}\r\nMIME-Version: 1.0\r\n${type}\r\n${text}`,
    );
    const mail = await PostalMime.parse(raw);
    expect(mail.html).toContain('Grüße');
    expect(mail.html?.includes('/t/c/')).toBe(encoding === 'base64');
    expect(raw.match(/^content-type:/gim)).toHaveLength(1);
    expect(await stack.dkimOf(raw)).toBe(`pass ${domain}`);
  });
});

describe('an idempotency key', () => {
  const message = (key: string): string =>
    `X-Postrider-Idempotency-Key: ${key}\r\nFrom: hello@${domain}\r\n\r\nHi`;
  const count = () => stack.test.services.database.prisma.email.count();

  it('used again is answered with the first ids, and nothing is stored', async () => {
    const key = newId();
    const to = [address(), address()];
    const client = await loggedIn(stack.server.port, stack.project.secretKey);
    const first = await submit(client, to, message(key));
    const before = await count();
    expect(idsOf(first)).toHaveLength(2);
    expect(await submit(client, [address()], message(key))).toBe(first);
    client.end();
    expect(await count()).toBe(before);
  });

  it('used by several connections at once stores one message', async () => {
    const key = newId();
    const to = address();
    const before = await count();
    const replies = await Promise.all(
      Array.from({ length: 5 }, async () => {
        const client = await loggedIn(stack.server.port, stack.project.secretKey);
        const reply = await submit(client, [to], message(key));
        client.end();
        return reply;
      }),
    );
    expect(new Set(replies).size).toBe(1);
    expect(await count()).toBe(before + 1);
  });

  it('that another request used is refused', async () => {
    const key = newId();
    await waitingMail(stack.test.services, stack.project.id, { count: 1 });
    await stack.test.services.database.prisma.idempotencyKey.create({
      data: { projectId: stack.project.id, key, request: 'POST /v1/send', statusCode: 200 },
    });
    const client = await loggedIn(stack.server.port, stack.project.secretKey);
    expect(await submit(client, [address()], message(key))).toMatch(/^550 5\.7\.1 /);
    expect(await submit(client, [address()], message('ä'))).toMatch(/^550 5\.6\.0 /);
    client.end();
  });
});

describe('header fields of others', () => {
  const controls = [
    ...['Bcc', 'Return-Path', 'Delivered-To', 'Received', 'Received-SPF', 'Authentication-Results'],
    ...['DKIM-Signature', 'DomainKey-Signature', 'X-Google-DKIM-Signature', 'X-SMTPAPI'],
    ...['Bcc', 'From', 'To', 'Cc', 'Date', 'Message-ID', 'Sender', 'Reply-To'].map(
      (name) => `Resent-${name}`,
    ),
    ...['Seal', 'Message-Signature', 'Authentication-Results'].map((name) => `ARC-${name}`),
    ...['Email', 'Test', 'Proof', 'Tags', 'Other'].map((name) => `X-Postrider-${name}`),
    ...['CONFIGURATION-SET', 'MESSAGE-TAGS', 'Outgoing', 'LIST-MANAGEMENT-OPTIONS'].map(
      (name) => `X-SES-${name}`,
    ),
    ...['Tag', 'Variables', 'Drop-Message', 'Recipient-Variables'].map((name) => `X-Mailgun-${name}`),
    ...['Tags', 'Subaccount', 'BccAddress', 'SendAt'].map((name) => `X-MC-${name}`),
    ...['API', 'Subaccount'].map((name) => `X-MSYS-${name}`),
    ...['Tag', 'Message-Stream', 'Metadata-a', 'TrackLinks'].map((name) => `X-PM-${name}`),
    ...['CustomID', 'EventPayload', 'TemplateID'].map((name) => `X-MJ-${name}`),
    ...['EID', 'ID'].map((name) => `X-SG-${name}`),
    ...['X-Sparkpost-Tags', 'X-ElasticEmail-Settings', 'X-Elastic-Channel', 'X-Smtp-Server', 'X-Smtp-Auth'],
    ...['X-Sib-Sandbox', 'X-Brevo-Tag', 'X-Resend-Tags', 'X-Mailjet-Campaign', 'X-Mandrill-Subaccount'],
    ...['X-Mandrill-BccAddress', 'X-Sparkpost-Campaign', 'X-Brevo-Pool'],
  ];
  /** As senders may write a field: in any case, with blanks before the colon, folded, several times. */
  const spellings: ((name: string) => string)[] = [
    (name) => `${name}: relay`,
    (name) => `${name.toUpperCase()}:relay`,
    (name) => `${name.toLowerCase()} \t: relay`,
    (name) => `${name}:\r\n relay,\r\n\tmore`,
    (name) =>
      `${[...name].map((char, at) => (at % 2 ? char.toLowerCase() : char.toUpperCase())).join('')} :relay`,
    (name) => `${name}: relay\r\n${name.toLowerCase()}:\r\n relay`,
  ];
  const kept = [
    `From: Example Shop <hello@${domain}>`,
    'To: someone@people.example',
    'Cc: other@people.example',
    'Subject: a\r\n folded  subject',
    'Date: Thu, 1 Jan 2026 00:00:00 +0000',
    'Message-ID: <one@shop.example>',
    'MIME-Version: 1.0',
    'X-SESSION: kept',
    'X-Receipt: kept',
    'Receiver: kept',
    'Content-Type: multipart/mixed;\r\n boundary="x"',
  ];
  const body = '--x\r\nContent-Type: text/plain\r\nX-SES-Part: kept\r\n\r\nBcc: text\r\n--x--\r\n';
  /** Without what the platform adds before it. */
  const givenPart = (raw: string): string => raw.slice(raw.indexOf(kept[0] ?? ''));

  it('that control a relay or are the trace of other servers do not leave, all else does byte for byte', async () => {
    expect(new Set(controls).size).toBeGreaterThanOrEqual(60);
    const header = kept.flatMap((line, index) => [
      ...controls
        .filter((_, at) => at % kept.length === index)
        .map((name, at) => {
          const spell = spellings[(at + index) % spellings.length] ?? String;
          return spell(name);
        }),
      line,
    ]);
    const raw = await roundTrip(lines(...header, '', body));
    expect(givenPart(raw)).toBe(`${lines(...kept, '', body)}\r\n`);
    expect(raw).not.toMatch(/relay/);
    expect(await stack.dkimOf(raw)).toBe(`pass ${domain}`);
  });

  it.each([
    ['of the domain of From stays', `Sender: Team <team@${domain}>`, true],
    ['of another domain does not', 'Sender: team@other.example.com', false],
    ['that names two addresses does not', `Sender: a@${domain}, b@${domain}`, false],
    ['that is no address does not', 'sender : nobody', false],
    ['that is repeated does not', `Sender: a@${domain}\r\nSENDER: team@other.example.com`, false],
  ])('a Sender %s', async (_, field, stays) => {
    const raw = await roundTrip(lines(...kept, field, '', body));
    expect(givenPart(raw)).toBe(`${lines(...kept, ...(stays ? [field] : []), '', body)}\r\n`);
    expect(await stack.dkimOf(raw)).toBe(`pass ${domain}`);
  });
});
