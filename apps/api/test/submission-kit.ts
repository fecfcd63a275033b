import { generateKeyPairSync, type KeyObject } from 'node:crypto';
import { createSmtpTransport } from '@postrider/core/adapters';
import { configuredRoute, DeliveryRuntime, defaultDeliveryOptions } from '@postrider/core/mail/delivery';
import { simulatorRoute } from '@postrider/core/mail/simulator';
import {
  createTestProject,
  createTestServices,
  type TestProject,
  type TestServices,
  verifiedDomain,
} from '@postrider/core/testing';
import { SmtpClient } from '@postrider/core/testing/smtp-client.ts';
import { type Sink, type SinkMessage, type SinkOptions, startSink } from '@postrider/local/sink';
import { dkimVerify } from 'mailauth/lib/dkim/verify.js';
import nodemailer, { type SendMailOptions } from 'nodemailer';
import {
  type SubmissionOptions,
  type SubmissionServer,
  startSubmission,
} from '../src/submission/submission-server.ts';

export interface SubmissionStack {
  test: TestServices;
  project: TestProject;
  server: SubmissionServer;
  sink: Sink;
  /** Sends with nodemailer. @returns the reply of the server */
  send(mail: SendMailOptions, options?: { key?: string; port?: number }): Promise<string>;
  /** The messages of these emails, once the sink has all of them. */
  delivered(ids: readonly string[]): Promise<SinkMessage[]>;
  start(options: SubmissionOptions): Promise<SubmissionServer>;
  /** The result of a DKIM check with the published key of the domain. */
  dkimOf(raw: string | Buffer): Promise<string>;
  close(): Promise<void>;
}

const timeouts = { socketTimeoutMs: 5_000, greetingTimeoutMs: 2_000, idleTimeoutMs: 5_000 };

export const domain = 'mail.example.com';
export const sender = `Example Shop <hello@${domain}>`;

/** A project with a verified domain, its submission port, and a delivery process that sends to a sink. */
export async function startSubmissionStack(
  env: Record<string, string> = {},
  sinkOptions: SinkOptions = {},
): Promise<SubmissionStack> {
  const sink = await startSink({ keepRaw: true, ...sinkOptions });
  const test = await createTestServices({ env });
  const { services } = test;
  const project = await createTestProject(services);
  const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const privateKeyPem = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
  await verifiedDomain(services, project.id, domain, { privateKeyPem, algorithm: 'rsa-sha256' });
  const started: SubmissionServer[] = [];
  const start = async (options: SubmissionOptions): Promise<SubmissionServer> => {
    const server = await startSubmission(services, 0, options);
    started.push(server);
    return server;
  };
  const server = await start({});
  const delivery = new DeliveryRuntime(
    services,
    [
      configuredRoute(services.config, createSmtpTransport({ url: sink.url, connections: 5, ...timeouts })),
      simulatorRoute(services),
    ],
    { ...defaultDeliveryOptions, pollMs: 100, sendRate: 100_000 },
    {},
  );
  delivery.start();
  return {
    test,
    project,
    server,
    sink,
    start,
    async send(mail, { key = project.secretKey, port = server.port } = {}) {
      const transport = nodemailer.createTransport({
        host: '127.0.0.1',
        port,
        auth: { user: 'postrider', pass: key },
        tls: { rejectUnauthorized: false },
      });
      try {
        return (await transport.sendMail(mail)).response;
      } finally {
        transport.close();
      }
    },
    async delivered(ids) {
      const until = performance.now() + 20_000;
      for (;;) {
        const found = sink.find(ids);
        if (found.length >= ids.length) return found;
        if (performance.now() > until) throw new Error(`${found.length} of ${ids.length} arrived`);
        await new Promise((resolve) => setTimeout(resolve, 20));
      }
    },
    dkimOf: (raw) => dkimResult(raw, publicKey),
    async close() {
      for (const each of started) await each.stop();
      await delivery.stop();
      await sink.stop();
      await test.close();
    },
  };
}

async function dkimResult(raw: string | Buffer, publicKey: KeyObject): Promise<string> {
  const key = publicKey.export({ type: 'spki', format: 'der' }).toString('base64');
  const resolver = async (name: string): Promise<string[][]> => {
    if (name !== `test._domainkey.${domain}`)
      throw Object.assign(new Error('no record'), { code: 'ENOTFOUND' });
    return [[`v=DKIM1; k=rsa; p=${key}`]];
  };
  const { results } = await dkimVerify(Buffer.from(raw), { resolver });
  return results.map(({ status }) => `${status.result} ${status.aligned}`).join();
}

export const idsOf = (reply: string): string[] => reply.match(/[0-9a-f]{8}-[0-9a-f-]{27}/g) ?? [];

/** @throws Error with the reply when the log-in is refused */
export async function logIn(client: SmtpClient, key: string): Promise<void> {
  await client.say('EHLO app.example.com');
  const reply = await client.say(`AUTH PLAIN ${Buffer.from(`\0postrider\0${key}`).toString('base64')}`);
  if (!reply.startsWith('235')) throw new Error(reply || 'the connection has ended');
}

/** A connection that is logged in. */
export async function loggedIn(port: number, key: string): Promise<SmtpClient> {
  const client = new SmtpClient(port);
  await client.reply();
  await logIn(client, key);
  return client;
}

/** The reply to the end of a message that is written as it is. */
export async function submit(client: SmtpClient, to: string[], message: string | Buffer): Promise<string> {
  await client.say(`MAIL FROM:<hello@${domain}>`);
  for (const address of to) await client.say(`RCPT TO:<${address}>`);
  await client.say('DATA');
  client.write(message);
  return client.say('\r\n.');
}
