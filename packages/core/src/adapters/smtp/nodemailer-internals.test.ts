import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { Socket } from 'node:net';
import SMTPConnection from 'nodemailer/lib/smtp-connection';
import { SMTPServer } from 'smtp-server';
import { afterEach, describe, expect, it } from 'vitest';
import { type Script, startScriptedServer } from './scripted-server.fixture.ts';
import { openSession, type SmtpSession } from './smtp-session.ts';
import { parseSmtpUrl } from './smtp-url.ts';

/**
 * The parts of nodemailer that are not its public API and that delivery depends on (decision 014). A failure here means that
 * nodemailer changed inside: read `smtp-session.ts` against the new version before raising the pin.
 */
const cleanUp: (() => unknown)[] = [];
afterEach(async () => {
  for (const step of cleanUp.splice(0).reverse()) await step();
});

async function connect(script: Script): Promise<SMTPConnection> {
  const server = await startScriptedServer(script);
  cleanUp.push(server.close);
  const { hostname, port } = new URL(server.url);
  const connection = new SMTPConnection({ host: hostname, port: Number(port) });
  connection.on('error', () => {});
  cleanUp.push(() => connection.close());
  await new Promise<void>((resolve, reject) =>
    connection.connect((error) => (error ? reject(error) : resolve())),
  );
  return connection;
}

async function open(url: string): Promise<SmtpSession> {
  const session = await new Promise<SmtpSession>((resolve, reject) =>
    openSession(parseSmtpUrl(url), (opened) => ('kind' in opened ? reject(opened) : resolve(opened))),
  );
  cleanUp.push(() => session.socket.destroy());
  return session;
}

describe('an open connection', () => {
  it('exposes its socket and is not upgrading', async () => {
    const connection = await connect({});
    expect(connection._socket).toBeInstanceOf(Socket);
    expect(connection.upgrading).not.toBe(true);
  });

  it.each(['AUTH PLAIN', 'SIZE 1000'])('knows whether %s is the offer of a login', async (extension) => {
    const connection = await connect({ extensions: [extension] });
    expect(connection.allowsAuth).toBe(extension.startsWith('AUTH'));
  });

  it.each([
    ['data', '_onSocketData'],
    ['error', '_onSocketError'],
    ['close', '_onSocketClose'],
    ['end', '_onSocketEnd'],
    ['timeout', '_onSocketTimeout'],
  ] as const)('listens to the %s of its socket by %s', async (event, name) => {
    const connection = await connect({});
    const listeners = (connection._socket as Socket).listeners(event);
    expect(listeners).toContain((connection as unknown as Record<string, unknown>)[name]);
  });
});

describe.each(['smtp:', 'smtps:'])('a session over TLS, by %s', (scheme) => {
  it('is handed over without a listener or timer of nodemailer', async () => {
    const other = new SMTPServer({ secure: scheme === 'smtps:', authOptional: true });
    other.on('error', () => {});
    cleanUp.push(() => new Promise<void>((resolve) => other.close(() => resolve())));
    await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
    const address = other.server.address();
    const port = typeof address === 'object' ? address?.port : 0;
    const { socket } = await open(`${scheme}//127.0.0.1:${port}?tls.rejectUnauthorized=false`);
    expect('encrypted' in socket).toBe(true);
    expect(socket.timeout).toBe(0);
    for (const event of ['data', 'timeout']) expect(socket.listenerCount(event)).toBe(0);
  });
});

describe('a session in plain text', () => {
  it('is handed over without a listener or timer of nodemailer', async () => {
    const server = await startScriptedServer();
    cleanUp.push(server.close);
    const { socket } = await open(server.url);
    expect(socket.timeout).toBe(0);
    for (const event of ['data', 'timeout', 'error', 'close']) expect(socket.listenerCount(event)).toBe(0);
  });

  it.each([
    [['PIPELINING'], { pipelining: true, smtpUtf8: false, eightBit: false }],
    [['8BITMIME', 'SMTPUTF8'], { pipelining: false, smtpUtf8: true, eightBit: true }],
    [[], { pipelining: false, smtpUtf8: false, eightBit: false }],
  ])('knows what the server offers: %j', async (extensions, expected) => {
    const server = await startScriptedServer({ extensions });
    cleanUp.push(server.close);
    expect(await open(server.url)).toMatchObject(expected);
  });
});

it('nodemailer is pinned to one exact version, and that version is installed', async () => {
  const root = new URL('../../../../../package.json', import.meta.url);
  const pinned = (JSON.parse(await readFile(root, 'utf8')) as { dependencies: Record<string, string> })
    .dependencies.nodemailer;
  const installed = createRequire(import.meta.url)('nodemailer/package.json') as { version: string };

  expect(pinned).toBe(installed.version);
});
