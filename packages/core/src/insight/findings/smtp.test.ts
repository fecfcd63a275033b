import type { AddressInfo } from 'node:net';
import { SMTPServer, type SMTPServerOptions } from 'smtp-server';
import { afterEach, describe, expect, it } from 'vitest';
import { type Script, startScriptedServer } from '../../adapters/smtp/scripted-server.fixture.ts';
import { makeCertificate } from '../../testing/certificates.ts';
import { examineWith, findingOf } from './examined.fixture.ts';
import type { Examined } from './examined.ts';
import { smtpChecks } from './smtp.checks.ts';

const cleanUp: (() => unknown)[] = [];
afterEach(async () => {
  for (const step of cleanUp.splice(0).reverse()) await step();
});

const day = 86_400_000;
const good = ['PIPELINING', 'SIZE 52428800', 'AUTH PLAIN LOGIN'];

const look = async (url: string, { env, ...given }: Given = {}) => {
  const found = await examineWith(smtpChecks, { SMTP_URL: url, ...env }, given);
  return { findings: found, of: (name: string) => findingOf(found, `smtp.${name}`) };
};

interface Given extends Partial<Examined> {
  env?: Record<string, string>;
}

async function scripted(script: Script = {}) {
  const server = await startScriptedServer({ extensions: good, ...script });
  cleanUp.push(server.close);
  return server;
}

const withLogin = (url: string): string => url.replace('//', '//joe:secret-of-joe@');

it('a sound server has no finding above advice, and gets no message', async () => {
  const server = await scripted();
  const { findings } = await look(withLogin(server.url));
  const troubles = findings.filter(({ check, verdict }) => verdict !== 'ok' && check !== 'smtp.pauses');
  expect(troubles).toEqual([]);
  expect(server.log.filter((step) => / (mail|rcpt|data)$/.test(step))).toEqual([]);
});

describe('why there is no session', () => {
  it.each<[string, Script, RegExp]>([
    [
      'a greeting that refuses',
      { greeting: () => '554 no service here' },
      /no session \(greeting\): .*no service here/,
    ],
    ['a greeting of another protocol', { greeting: () => 'SSH-2.0-x' }, /no session \(greeting\)/],
    ['too many connections', { greeting: () => '421 too many' }, /no session \(unavailable\): .*too many/],
    [
      'a refused login',
      { auth: () => '535 5.7.8 wrong: secret-of-joe' },
      /no session \(auth\): .*wrong: \*\*\*/,
    ],
    ['no login', { extensions: ['PIPELINING'] }, /no session \(auth\): .*does not offer a login/],
  ])('%s', async (_, script, text) => {
    const { url } = await scripted(script);
    const { of, findings } = await look(withLogin(url));
    expect(of('connection')).toMatchObject({
      verdict: 'failure',
      found: expect.stringMatching(text),
      cause: expect.stringMatching(/./),
      action: expect.stringMatching(/./),
    });
    expect(of('size')).toMatchObject({ verdict: 'unknown' });
    expect(JSON.stringify(findings)).not.toContain('secret-of-joe');
  });

  it('nothing listens', async () => {
    const { of } = await look('smtp://127.0.0.1:1');
    expect(of('connection')).toMatchObject({
      verdict: 'failure',
      found: expect.stringContaining('no session (connect)'),
    });
  });

  it('TLS is required and not offered', async () => {
    const { url } = await scripted();
    const { of } = await look(`${url}?requireTLS=true`);
    expect(of('connection')).toMatchObject({
      verdict: 'failure',
      found: expect.stringContaining('no session (tls)'),
    });
  });
});

describe('certificates', () => {
  async function encrypted(notAfter: Date, options: SMTPServerOptions = {}) {
    const { pem, privateKey } = makeCertificate({ name: 'relay', hosts: ['localhost'], notAfter });
    const key = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
    const server = new SMTPServer({ key, cert: pem, authOptional: true, size: 52_428_800, ...options });
    server.on('error', () => undefined);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', () => resolve()));
    cleanUp.push(() => new Promise<void>((resolve) => server.close(() => resolve())));
    return (server.server.address() as AddressInfo).port;
  }
  const trusting = '?tls.rejectUnauthorized=false';

  it.each([
    [90, 'ok'],
    [15, 'warning'],
    [2, 'failure'],
    [-1, 'failure'],
  ])('that expires in %s days: %s', async (days, verdict) => {
    const port = await encrypted(new Date(Date.now() + days * day));
    const { of } = await look(`smtp://localhost:${port}${trusting}`, { smtpConnections: 1 });
    expect(of('certificate')).toMatchObject({ verdict });
    expect(of('connection')).toMatchObject({ verdict: 'ok' });
  });

  it('with smtps', async () => {
    const port = await encrypted(new Date(Date.now() + 2 * day), { secure: true });
    const { of } = await look(`smtps://localhost:${port}${trusting}`, { smtpConnections: 1 });
    expect(of('certificate')).toMatchObject({ verdict: 'failure' });
  });

  it('of an unknown issuer', async () => {
    const port = await encrypted(new Date(Date.now() + 90 * day));
    const { of } = await look(`smtp://localhost:${port}`);
    expect(of('connection')).toMatchObject({
      verdict: 'failure',
      found: expect.stringContaining('no session (tls)'),
    });
  });
});

it('a limit of size below MESSAGE_MAX_MB', async () => {
  const { url } = await scripted({ extensions: ['PIPELINING', 'SIZE 10240000'] });
  const { of } = await look(url);
  expect(of('size')).toMatchObject({
    verdict: 'failure',
    action: expect.stringContaining('MESSAGE_MAX_MB to 9'),
  });
  expect((await look(url, { env: { MESSAGE_MAX_MB: '9' } })).of('size')).toMatchObject({ verdict: 'ok' });
});

it('no PIPELINING', async () => {
  const { url } = await scripted({ extensions: ['SIZE'] });
  const { of } = await look(url);
  expect(of('pipelining')).toMatchObject({ verdict: 'warning' });
  expect(of('size')).toMatchObject({ verdict: 'ok' });
});

describe('connections', () => {
  it('fewer than SMTP_CONNECTIONS', async () => {
    const server = await scripted({
      greeting: () => (server.open > 4 ? '421 4.7.0 too many connections' : undefined),
    });
    const { of } = await look(server.url);
    expect(of('connections')).toMatchObject({
      verdict: 'warning',
      found: expect.stringMatching(/let [34] connections in at once: .*too many connections/),
    });
  });

  it('are at most 20, and none stays open', async () => {
    const server = await scripted();
    await look(server.url);
    expect(server.mostOpen).toBeLessThanOrEqual(21);
    await expect.poll(() => server.open).toBe(0);
  });

  it('are not more than SMTP_CONNECTIONS', async () => {
    const server = await scripted();
    expect((await look(server.url, { smtpConnections: 3 })).of('connections')).toMatchObject({
      verdict: 'ok',
      found: expect.stringContaining('3 connections'),
    });
  });
});

describe('--send', () => {
  it('hands one email over', async () => {
    const server = await scripted();
    const { of } = await look(server.url, { sendTo: 'ann@people.test' });
    expect(of('send')).toMatchObject({ verdict: 'advice', found: expect.stringContaining('queued') });
    expect(server.received).toMatchObject([{ from: 'postrider@localhost', to: 'ann@people.test' }]);
  });

  it('says what a refusal says', async () => {
    const server = await scripted({ rcpt: () => '550 5.7.1 relaying denied' });
    const { of } = await look(server.url, { sendTo: 'ann@people.test' });
    expect(of('send')).toMatchObject({
      verdict: 'failure',
      found: expect.stringContaining('relaying denied'),
    });
  });
});
