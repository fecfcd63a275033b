import { pino } from 'pino';
import { afterEach, expect, it, vi } from 'vitest';
import { SmtpClient } from '../../testing/smtp-client.ts';
import {
  ByteBudget,
  receiveMessage,
  type SmtpLogin,
  SmtpRefusal,
  type SmtpServer,
  startSmtpServer,
} from './index.ts';
import type { SmtpServerOptions, SmtpService } from './smtp-server.ts';

const kilobyte = 1_024;
const servers: SmtpServer[] = [];
afterEach(async () => {
  await Promise.all(servers.splice(0).map((server) => server.close()));
});

/** A server that accepts mail for `known@` only. */
async function start(service: Partial<SmtpService> = {}, options: Partial<SmtpServerOptions> = {}) {
  const messages: string[] = [];
  const config = { MAIL_HOST: 'mail.test', HOST: '127.0.0.1' };
  const server = await startSmtpServer(
    { config, log: pino({ level: 'silent' }) } as unknown as Parameters<typeof startSmtpServer>[0],
    {
      addRecipient(address) {
        if (!address.startsWith('known@')) throw new SmtpRefusal(550, '5.1.1 No such address here');
      },
      async receive(stream) {
        const received = await receiveMessage(stream);
        if ('refusal' in received) throw new SmtpRefusal(552, '5.3.4 The message is too large');
        messages.push(received.message.toString());
        return undefined;
      },
      failed: () => new SmtpRefusal(451, '4.3.0 Not now'),
      ...service,
    },
    {
      port: 0,
      names: { variable: 'TEST_PORT', app: 'test', server: 'the server of the test' },
      banner: 'test',
      maxBytes: kilobyte,
      limits: { connections: 10, silenceMs: 60_000 },
      ...options,
    },
  );
  servers.push(server);
  return { server, messages };
}

async function greeted({ port }: SmtpServer): Promise<SmtpClient> {
  const client = new SmtpClient(port);
  expect(await client.reply()).toBe('220 mail.test ESMTP test');
  await client.say('EHLO client.test');
  return client;
}

async function sends(client: SmtpClient, message: string, to = 'known@here.test'): Promise<string> {
  await client.say('MAIL FROM:<someone@elsewhere.test>');
  const reply = await client.say(`RCPT TO:<${to}>`);
  if (!reply.startsWith('250')) return reply;
  expect(await client.say('DATA')).toMatch(/^354 /);
  return client.say(`${message}\r\n.`);
}

it('answers with what the service decides, and with its answer to any other error', async () => {
  const receive = vi.fn<SmtpService['receive']>();
  const { server } = await start({
    receive: async (stream, session) => {
      await receiveMessage(stream);
      return receive(stream, session);
    },
  });
  const client = await greeted(server);
  expect(await sends(client, 'x', 'unknown@here.test')).toBe('550 5.1.1 No such address here');
  expect(await client.say('RSET')).toMatch(/^250 /);
  receive.mockRejectedValueOnce(new Error('the database is away'));
  expect(await sends(client, 'x')).toBe('451 4.3.0 Not now');
  receive.mockResolvedValueOnce(['2.0.0 first', 'second']);
  expect(await sends(client, 'x')).toBe('250-2.0.0 first\n250 second');
  client.end();
});

it('offers neither AUTH nor STARTTLS to a service that has none', async () => {
  const { server, messages } = await start();
  const client = new SmtpClient(server.port);
  await client.reply();
  expect(await client.say('EHLO client.test')).not.toMatch(/AUTH|STARTTLS|ENHANCED/);
  expect(await client.say('STARTTLS')).toMatch(/^5/);
  expect(await sends(client, 'Hello')).toMatch(/^250 /);
  expect(messages).toEqual(['Hello\r\n']);
  client.end();
});

it('requires the login of a service that has one', async () => {
  const logIn = async ({ password }: SmtpLogin): Promise<object> => {
    if (password !== 'right') throw new SmtpRefusal(535, '5.7.8 Wrong');
    return { name: 'someone' };
  };
  const { server } = await start({ logIn }, { hasEnhancedCodes: true });
  const client = await greeted(server);
  const auth = (password: string): string =>
    `AUTH PLAIN ${Buffer.from(`\0user\0${password}`).toString('base64')}`;
  expect(await client.say('MAIL FROM:<someone@elsewhere.test>')).toBe('530 5.7.0 Authentication required');
  expect(await client.say(auth('wrong'))).toBe('535 5.7.8 Wrong');
  expect(await client.say(auth('right'))).toMatch(/^235 /);
  expect(await sends(client, 'Hello')).toMatch(/^250 2\./);
  client.end();
});

it('a message that is too large, or finds no room beside others, is not kept', async () => {
  const budget = new ByteBudget(100);
  const { server } = await start({
    async receive(stream) {
      const received = await receiveMessage(stream, budget);
      if ('refusal' in received) throw new SmtpRefusal(451, received.refusal);
      received.release();
      return undefined;
    },
  });
  const client = await greeted(server);
  expect(await sends(client, 'x'.repeat(2 * kilobyte))).toBe('451 too large');
  expect(await sends(client, 'x'.repeat(kilobyte / 2))).toBe('451 busy');
  expect(await sends(client, 'x'.repeat(90))).toMatch(/^250 /);
  client.end();
});

it('too many connections of one address, or of all, are told so, until one is closed', async () => {
  const { server } = await start({}, { limits: { connections: 10, ofAddress: 2, silenceMs: 60_000 } });
  const [first, second] = [await greeted(server), await greeted(server)];
  expect(await new SmtpClient(server.port).reply()).toBe('421 4.7.0 Too many connections');
  first.end();
  await expect
    .poll(async () => {
      const client = new SmtpClient(server.port);
      const reply = await client.reply();
      client.end();
      return reply;
    })
    .toMatch(/^220 /);
  second.end();
  const limits = { connections: 1, silenceMs: 60_000, tooMany: 'later' };
  const { server: single } = await start({}, { limits });
  const only = await greeted(single);
  expect(await new SmtpClient(single.port).reply()).toBe('421 later');
  only.end();
});

it('clients that are silent, stay too long, do not log in, or send too slowly are closed', async () => {
  const limits = { connections: 10, silenceMs: 60_000 };
  const { server: silent } = await start({}, { limits: { ...limits, silenceMs: 300 } });
  expect(await (await greeted(silent)).reply()).toMatch(/^421 /);
  const { server: long } = await start({}, { limits: { ...limits, connectionMs: 300 } });
  expect(await (await greeted(long)).reply()).toBe('');
  const { server: guarded } = await start(
    { logIn: async () => ({}) },
    { limits: { ...limits, loginMs: 300 } },
  );
  expect(await (await greeted(guarded)).reply()).toBe('421 4.7.0 No login');
  const { server: slow } = await start({}, { limits: { ...limits, messageMs: 100 } });
  const client = await greeted(slow);
  await client.say('MAIL FROM:<someone@elsewhere.test>');
  await client.say('RCPT TO:<known@here.test>');
  await client.say('DATA');
  client.write('Subject: ');
  expect(await client.reply()).toBe('421 4.4.2 The message took too long');
});

it('a server that drains answers the message that it is receiving, and takes no other', async () => {
  const { server, messages } = await start();
  const [client, other] = [await greeted(server), await greeted(server)];
  await client.say('MAIL FROM:<someone@elsewhere.test>');
  await client.say('RCPT TO:<known@here.test>');
  await client.say('DATA');
  client.write('Hel');
  const drained = server.drain();
  expect(await other.say('MAIL FROM:<someone@elsewhere.test>')).toBe('421 4.3.2 The server is stopping');
  expect(await client.say('lo\r\n.')).toMatch(/^250 /);
  await drained;
  expect(messages).toEqual(['Hello\r\n']);
});

it('a port in use is an error that names the variable', async () => {
  const { server } = await start();
  await expect(start({}, { port: server.port })).rejects.toThrow(/TEST_PORT: the test cannot listen on port/);
});
