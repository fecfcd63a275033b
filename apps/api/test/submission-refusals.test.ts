import { TaskLimitError, type Threads } from '@postrider/core/base/kernel';
import { newId } from '@postrider/core/base/lib';
import { createKey } from '@postrider/core/people/keys';
import { makeCertificate } from '@postrider/core/testing/certificates.ts';
import { SmtpClient } from '@postrider/core/testing/smtp-client.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { disabledCommandsFor, startSubmission } from '../src/submission/submission-server.ts';
import {
  domain,
  idsOf,
  loggedIn,
  type SubmissionStack,
  startSubmissionStack,
  submit,
} from './submission-kit.ts';

/** Every refusal of behaviour B11.8; none of them stores anything. */
let stack: SubmissionStack;
beforeAll(async () => {
  stack = await startSubmissionStack({ MESSAGE_MAX_MB: '1' });
});
afterAll(() => stack.close());

const address = (): string => `${newId()}@people.example`;
const plain = `From: hello@${domain}\r\nSubject: x\r\n\r\nHello`;
const count = () => stack.test.services.database.prisma.email.count();

async function greeted(port = stack.server.port): Promise<{ client: SmtpClient; extensions: string[] }> {
  const client = new SmtpClient(port);
  expect(await client.reply()).toMatch(/^220 /);
  const reply = await client.say('EHLO app.example.com');
  return {
    client,
    extensions: reply
      .split('\n')
      .slice(1)
      .map((line) => line.slice(4)),
  };
}

const authPlain = (user: string, key: string): string =>
  `AUTH PLAIN ${Buffer.from(`\0${user}\0${key}`).toString('base64')}`;

/** The reply to one message, after a log-in with this key. */
async function replyTo(
  message: string | Buffer,
  { key = stack.project.secretKey, to = [address()] } = {},
): Promise<string> {
  const client = await loggedIn(stack.server.port, key);
  try {
    return await submit(client, to, message);
  } finally {
    client.end();
  }
}

async function namedKey(
  scope: 'full' | 'send' | 'read' | 'track',
  more: { domains?: string[]; expiresAt?: Date } = {},
): Promise<string> {
  const { key } = await createKey.run(await stack.project.userCtx('OWNER'), {
    name: scope,
    scope,
    id: stack.project.id,
    ...more,
  });
  return key;
}

describe('a log-in', () => {
  it('is offered with the extensions of the standard', async () => {
    const { client, extensions } = await greeted();
    client.end();
    expect(extensions).toEqual(
      expect.arrayContaining(['PIPELINING', '8BITMIME', 'SMTPUTF8', 'AUTH PLAIN LOGIN', `SIZE ${1_048_576}`]),
    );
    expect(extensions).not.toContain('STARTTLS');
  });

  it('is offered without TLS to loopback clients only', () => {
    for (const ip of ['127.0.0.1', '127.1.2.3', '::1', '::ffff:127.0.0.1'])
      expect(disabledCommandsFor(ip, { hasTls: true })).toEqual([]);
    for (const ip of ['10.0.0.1', '172.17.0.1', '::ffff:10.0.0.1', '2001:db8::127.0.0.1', ''])
      expect(disabledCommandsFor(ip, { hasTls: true })).toEqual(['AUTH']);
    expect(disabledCommandsFor('10.0.0.1', { hasTls: false })).toEqual(['STARTTLS', 'AUTH']);
  });

  it.each(['full', 'send'] as const)('accepts a named key of scope %s', async (scope) => {
    expect(await replyTo(plain, { key: await namedKey(scope) })).toMatch(/^250 2\.0\.0 queued as /);
  });

  it('with LOGIN too', async () => {
    const { client } = await greeted();
    expect(await client.say('AUTH LOGIN')).toBe('334 VXNlcm5hbWU6');
    await client.say(Buffer.from('postrider').toString('base64'));
    expect(await client.say(Buffer.from(stack.project.secretKey).toString('base64'))).toMatch(/^235 /);
    client.end();
  });

  it('535 5.7.8: any other key, and any other user name; ten of them in a minute: 421', async () => {
    const guarded = await stack.start({});
    const wrong: [string, string][] = [
      ['postrider', 'sk_wrong'],
      ['postrider', ''],
      ['postrider', stack.project.publicKey],
      ['postrider', await namedKey('read')],
      ['postrider', await namedKey('track')],
      ['someone', stack.project.secretKey],
      ['Postrider', stack.project.secretKey],
      ['postrider', stack.project.secretKey.toUpperCase()],
    ];
    for (const [user, key] of [...wrong, ...wrong.slice(0, 2)]) {
      const { client } = await greeted(guarded.port);
      expect(await client.say(authPlain(user, key))).toMatch(/^535 5\.7\.8 /);
      client.end();
    }
    const { client } = await greeted(guarded.port);
    expect(await client.say(authPlain('postrider', stack.project.secretKey))).toMatch(/^421 4\.7\.0 /);
    expect(await client.reply()).toBe('');
  });

  it('is required: 530 5.7.0', async () => {
    const { client } = await greeted();
    expect(await client.say(`MAIL FROM:<hello@${domain}>`)).toMatch(/^530 5\.7\.0 /);
    client.end();
  });

  it('of a key that was deleted since is refused with the message', async () => {
    const key = await namedKey('send');
    const client = await loggedIn(stack.server.port, key);
    await stack.test.services.database.prisma.apiKey.deleteMany({ where: { projectId: stack.project.id } });
    expect(await submit(client, [address()], plain)).toMatch(/^535 5\.7\.8 /);
    client.end();
  });
});

it('STARTTLS protects log-in and message, with the certificate of the operator', async () => {
  const certificate = makeCertificate({ name: 'localhost', hosts: ['localhost'] });
  const tls = {
    cert: Buffer.from(certificate.pem),
    key: Buffer.from(certificate.privateKey.export({ type: 'pkcs8', format: 'pem' })),
  };
  const secured = await stack.start({ tls });
  const { client, extensions } = await greeted(secured.port);
  client.end();
  expect(extensions).toContain('STARTTLS');
  const nodemailer = await import('nodemailer');
  const transport = nodemailer.createTransport({
    host: 'localhost',
    port: secured.port,
    requireTLS: true,
    tls: { ca: certificate.pem },
    auth: { user: 'postrider', pass: stack.project.secretKey },
  });
  const { response } = await transport.sendMail({
    from: `hello@${domain}`,
    to: address(),
    subject: 'x',
    text: 'x',
  });
  transport.close();
  expect(idsOf(response)).toHaveLength(1);
});

describe('a message is refused and nothing is stored', () => {
  const large = (bytes: number): string => `${plain}\r\n${`${'x'.repeat(98)}\r\n`.repeat(bytes / 100)}`;

  it.each<[string, RegExp, string]>([
    [
      'from a domain that is not verified',
      /^550 5\.7\.1 .*other\.example\.com/,
      'From: a@other.example.com\r\n\r\nHi',
    ],
    ['without a sender', /^550 5\.6\.0 .*From/, 'Subject: x\r\n\r\nHi'],
    ['with two senders', /^550 5\.6\.0 .*From/, `From: a@${domain}, b@${domain}\r\n\r\nHi`],
    ['with two From fields', /^550 5\.6\.0 .*From/, `From: a@${domain}\r\nFrom: b@evil.example\r\n\r\nHi`],
    ['with a sender that is not an address', /^550 5\.6\.0 .*From/, 'From: hello\r\n\r\nHi'],
    ['without a header', /^550 5\.6\.0 .*header/, 'Hello\r\n'],
    ['with a bare LF', /^550 5\.6\.0 .*CRLF/, `${plain}\nmore`],
    ['with a bare LF before a dot', /^550 5\.6\.0 .*CRLF/, `${plain}\n.\r\nMAIL FROM:<a@evil.example>`],
    ['with a bare CR', /^550 5\.6\.0 .*CRLF/, `${plain}\r.\rmore`],
    [
      'with a header that ends at a bare LF',
      /^550 5\.6\.0 .*CRLF/,
      `From: hello@${domain}\nBcc: a@b.example\r\n\r\nHi`,
    ],
    ['with NUL', /^550 5\.6\.0 .*NUL/, `${plain}\0`],
    [
      'with an invalid idempotency key',
      /^550 5\.6\.0 .*255/,
      `X-Postrider-Idempotency-Key: ${'x'.repeat(256)}\r\n${plain}`,
    ],
    [
      'with a header larger than 256 KB',
      /^550 5\.6\.0 .*256 KB/,
      `${`X-More: ${'x'.repeat(900)}\r\n`.repeat(300)}${plain}`,
    ],
    [
      'with more than 1,000 parts',
      /^550 5\.6\.0 .*1,000 parts/,
      `Content-Type: multipart/mixed; boundary=x\r\n${plain}\r\n${'--x\r\n\r\n'.repeat(1_001)}`,
    ],
    [
      'with parts nested deeper than 20',
      /^550 5\.6\.0 .*deeper than 20/,
      `From: hello@${domain}\r\n${Array.from(
        { length: 21 },
        (_, at) => `Content-Type: multipart/mixed; boundary=x${at}\r\n\r\n--x${at}\r\n`,
      ).join('')}`,
    ],
    ['that is too large', /^552 5\.3\.4 /, large(1_200_000)],
  ])('%s', async (_, expected, message) => {
    const before = await count();
    expect(await replyTo(message)).toMatch(expected);
    expect(await count()).toBe(before);
  });

  it('with a header in another charset', async () => {
    const message = Buffer.from(`Subject: Grüße\r\n${plain}`, 'latin1');
    expect(await replyTo(message)).toMatch(/^550 5\.6\.0 .*UTF-8/);
  });

  it('that announces too many bytes', async () => {
    const client = await loggedIn(stack.server.port, stack.project.secretKey);
    expect(await client.say(`MAIL FROM:<hello@${domain}> SIZE=1100000`)).toMatch(/^552 5\.3\.4 /);
    client.end();
  });

  it('to what is no address', async () => {
    const client = await loggedIn(stack.server.port, stack.project.secretKey);
    await client.say(`MAIL FROM:<hello@${domain}>`);
    for (const to of ['<postmaster>', '<a@localhost>'])
      expect(await client.say(`RCPT TO:${to}`)).toMatch(/^550 5\.1\.3 /);
    expect(await client.say('RCPT TO:<a b@people.example>')).toMatch(/^501 5\.1\.3 /);
    expect(await client.say('DATA')).toMatch(/^503 /);
    client.end();
  });

  it('from outside the domains of a named key', async () => {
    const key = await namedKey('send', { domains: [domain] });
    expect(await replyTo(plain, { key })).toMatch(/^250 /);
    expect(await replyTo('From: a@other.example.com\r\n\r\nHi', { key })).toMatch(/^550 5\.7\.1 /);
  });

  it('of a disabled project, and beyond the request limit', async () => {
    const { database, config } = stack.test.services;
    const disabled = (value: boolean) =>
      database.prisma.project.update({ where: { id: stack.project.id }, data: { disabled: value } });
    await disabled(true);
    expect(await replyTo(plain)).toMatch(/^550 5\.7\.1 .*disabled/);
    await disabled(false);
    await database.prisma.rateWindow.updateMany({
      where: { projectId: stack.project.id },
      data: { count: config.RATE_LIMIT_PER_MINUTE, windowStart: new Date() },
    });
    expect(await replyTo(plain)).toMatch(/^451 4\.7\.1 /);
    await database.prisma.rateWindow.deleteMany({ where: { projectId: stack.project.id } });
    expect(await replyTo(plain)).toMatch(/^250 /);
  });
});

describe('messages that were made to do harm', () => {
  it('with a boundary that begins another line, and with a line of blanks, are answered at once', async () => {
    const prefix = `From: hello@${domain}\r\nContent-Type: multipart/mixed; boundary=x\r\n\r\n--x\r\n\r\nhello\r\n--xyz\r\n--x--\r\n`;
    expect(await replyTo(prefix)).toMatch(/^250 /);
    const blanks = `X-Blanks: a${' '.repeat(200_000)}b\r\n${plain}`;
    expect(await replyTo(blanks)).toMatch(/^550 5\.6\.0 The header field X-Blanks has a line/);
  });

  it('550 5.6.0: one that takes too long is stopped with its thread', async () => {
    const { services } = stack.test;
    const threads: Threads = {
      run: () => Promise.reject(new TaskLimitError('time')),
      isSlow: () => false,
      start: () => services.threads.start(),
      wake: () => undefined,
      release: () => undefined,
      close: () => Promise.resolve(),
    };
    const server = await startSubmission({ ...services, threads }, 0);
    const client = await loggedIn(server.port, stack.project.secretKey);
    expect(await submit(client, [address()], plain)).toBe('550 5.6.0 The message takes too long to read');
    client.end();
    await server.stop();
  });

  it('nothing of a message is read before the log-in, the request limit and the state of the project are checked', async () => {
    const { database } = stack.test.services;
    const unreadable = `${plain}\nmore`;
    const disable = (disabled: boolean) =>
      database.prisma.project.update({ where: { id: stack.project.id }, data: { disabled } });
    await disable(true);
    expect(await replyTo(unreadable)).toMatch(/^550 5\.7\.1 /);
    await disable(false);
    expect(await replyTo(unreadable)).toMatch(/^550 5\.6\.0 /);
  });
});

describe('clients that would do harm', () => {
  it('leave nothing when they go away within a message, and free what they occupied', async () => {
    const small = await stack.start({ limits: { bytes: 60_000 } });
    const before = await count();
    const gone = await loggedIn(small.port, stack.project.secretKey);
    await gone.say(`MAIL FROM:<hello@${domain}>`);
    await gone.say(`RCPT TO:<${address()}>`);
    await gone.say('DATA');
    gone.write(`${plain}\r\n${`${'x'.repeat(98)}\r\n`.repeat(500)}`);
    await expect
      .poll(async () => {
        const other = await loggedIn(small.port, stack.project.secretKey);
        const reply = await submit(other, [address()], `${plain}\r\n${`${'x'.repeat(98)}\r\n`.repeat(500)}`);
        other.end();
        return reply.slice(0, 9);
      })
      .toBe('451 4.3.1');
    gone.end();
    const after = await loggedIn(small.port, stack.project.secretKey);
    await expect
      .poll(async () =>
        (await submit(after, [address()], `${plain}\r\n${`${'x'.repeat(98)}\r\n`.repeat(500)}`)).slice(0, 9),
      )
      .toBe('250 2.0.0');
    after.end();
    expect(await count()).toBe(before + 1);
  });

  it('are closed: too many of one address, without a login, and too slow with a message', async () => {
    const limited = await stack.start({
      limits: { ofAddress: 2, loginMs: 1_000, messageMs: 300 },
    });
    const slow = await loggedIn(limited.port, stack.project.secretKey);
    const silent = new SmtpClient(limited.port);
    expect(await silent.reply()).toMatch(/^220 /);
    expect(await new SmtpClient(limited.port).reply()).toMatch(/^421 4\.7\.0 /);
    await slow.say(`MAIL FROM:<hello@${domain}>`);
    await slow.say(`RCPT TO:<${address()}>`);
    await slow.say('DATA');
    slow.write('From: ');
    expect(await slow.reply()).toMatch(/^421 4\.4\.2 /);
    expect(await silent.reply()).toMatch(/^421 4\.7\.0 /);
  });

  it('get 451 while the database is away', async () => {
    const other = await startSubmissionStack();
    const client = await loggedIn(other.server.port, other.project.secretKey);
    await other.test.services.database.durable.end();
    await other.test.services.database.grouped.end();
    expect(await submit(client, [address()], plain)).toMatch(/^451 4\.3\.0 /);
    client.end();
    await other.server.stop();
  });

  it('a port in use is an error that names the variable', async () => {
    await expect(startSubmission(stack.test.services, stack.server.port)).rejects.toThrow(/SUBMISSION_PORT/);
  });
});
