import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { verifiedDomain } from '@postrider/core/testing';
import { NotFoundError, Postrider, RateLimitError, ValidationError } from '@postrider/sdk';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { startApp, type TestApp } from './harness.ts';

/** The SDK against the running API. What it does with answers that are hard to provoke is tested in packages/sdk. */
const run = promisify(execFile);
const from = 'hello@sdk.example.com';

let test: TestApp;
let baseUrl: string;
let client: Postrider;

beforeAll(async () => {
  test = await startApp();
  baseUrl = await test.app.listen({ host: '127.0.0.1', port: 0 });
  client = new Postrider({ apiKey: test.project.secretKey, baseUrl });
  await verifiedDomain(test.services, test.project.id, 'sdk.example.com');
});
afterAll(() => test.close());

const mail = { from, subject: 'Hello', body: '<p>Hello</p>' };
const emailsTo = async (search: string) => (await client.sending.listEmails({ search })).data;

/** The API behind a proxy that forwards every request, and cuts the connection instead of passing on the first answer. */
async function losingTheFirstAnswer(): Promise<{ address: string; statuses: number[] }> {
  const statuses: number[] = [];
  const proxy = createServer(async (request, response) => {
    const { method = 'GET', url = '', headers } = request;
    const body = method === 'GET' ? undefined : new Uint8Array(await buffer(request));
    const given = Object.entries(headers).filter(
      ([name]) => !/^(host|connection|content-length)$/.test(name),
    );
    const answer = await fetch(`${baseUrl}${url}`, {
      method,
      headers: Object.fromEntries(given) as Record<string, string>,
      ...(body && { body }),
    });
    statuses.push(answer.status);
    if (statuses.length === 1) response.destroy();
    else response.writeHead(answer.status, { 'content-type': 'application/json' }).end(await answer.text());
  });
  proxy.listen(0, '127.0.0.1');
  await once(proxy, 'listening');
  onTestFinished(() => {
    proxy.close();
    proxy.closeAllConnections();
  });
  return { address: `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`, statuses };
}

describe('the SDK', () => {
  it('sends, and reads the email that it sent', async () => {
    const { emails, answerLost } = await client.send({
      ...mail,
      to: [{ email: 'a@example.com' }, { email: 'b@example.com' }],
    });
    expect(answerLost).toBe(false);
    expect(emails.map(({ contact }) => contact?.email)).toEqual(['a@example.com', 'b@example.com']);
    const id = emails[0]?.email ?? '';
    expect(await client.sending.getEmail({ id })).toMatchObject({ id, subject: 'Hello' });
  });

  it('sends once when the connection dies after the API accepted the request', async () => {
    const { address, statuses } = await losingTheFirstAnswer();
    const { apiKey } = client.connection;
    const sent = await new Postrider({ apiKey, baseUrl: address }).send({ ...mail, to: 'once@example.com' });
    const [stored] = await emailsTo('once@example.com');
    expect(sent).toMatchObject({
      emails: [{ contact: { id: stored?.contactId }, email: stored?.id }],
      timestamp: expect.stringMatching(/^\d{4}-.*Z$/),
      repeated: true,
      answerLost: true,
    });
    expect(statuses).toEqual([200, 409]);
    expect(await emailsTo('once@example.com')).toHaveLength(1);
  });

  it('tracks once when the connection dies, with either kind of key', async () => {
    for (const [apiKey, event] of [
      [test.project.publicKey, 'by_public_key'],
      [test.project.secretKey, 'by_secret_key'],
    ] as const) {
      const { address } = await losingTheFirstAnswer();
      const tracked = await new Postrider({ apiKey, baseUrl: address }).track({
        email: 'c@example.com',
        event,
      });
      const { events } = await client.events.list({ eventName: event });
      expect(events).toHaveLength(1);
      expect(tracked).toMatchObject({
        event: events[0]?.id,
        contact: events[0]?.contactId,
        repeated: true,
        answerLost: true,
      });
    }
  });

  it('iterates over cursor lists and page lists to their end', async () => {
    const names = ['page-1', 'page-2', 'page-3', 'page-4', 'page-5'];
    for (const name of names) await client.contacts.upsert({ email: `${name}@example.com` });
    const found: string[] = [];
    for await (const { email } of client.contacts.list({
      search: 'page-',
      limit: 2,
      sort: 'email',
      dir: 'asc',
    }))
      found.push(email);
    expect(found).toEqual(names.map((name) => `${name}@example.com`));
    for (const name of names) await client.templates.create({ ...mail, name });
    const templates: string[] = [];
    for await (const { name } of client.templates.list({ pageSize: 2, sort: 'name', dir: 'asc' }))
      templates.push(name);
    expect(templates).toEqual(names);
  });

  it('uploads files, deletes records and reads files', async () => {
    const csv = new Blob(['email\nd@example.com\n'], { type: 'text/csv' });
    expect(await client.contacts.import({ file: csv })).toMatchObject({ jobId: expect.any(String) });
    const { id } = await client.contacts.upsert({ email: 'gone@example.com' });
    expect(await client.contacts.delete({ id })).toBeUndefined();
    await expect(client.contacts.get({ id })).rejects.toThrow(NotFoundError);
  });

  it('passes on what the API says of a bad request, with its request id', async () => {
    const error = await client.send({ ...mail, to: 'nobody' }).then(null, (reason: unknown) => reason);
    expect(error).toBeInstanceOf(ValidationError);
    expect(error).toMatchObject({
      code: 'VALIDATION_ERROR',
      errors: [expect.objectContaining({ code: 'invalid_string' })],
      requestId: expect.any(String),
    });
  });
});

it('a 429 of the API is thrown when its Retry-After is longer than the client may wait', async () => {
  const limited = await startApp({ RATE_LIMIT_PER_MINUTE: '2' });
  onTestFinished(() => limited.close());
  const address = await limited.app.listen({ host: '127.0.0.1', port: 0 });
  const { secretKey: apiKey } = limited.project;
  const hasty = new Postrider({ apiKey, baseUrl: address, maxRetryDelayMs: 10 });
  for (let count = 0; count < 2; count++) await hasty.events.names();
  const error = await hasty.events.names().then(null, (reason: unknown) => reason);
  expect(error).toBeInstanceOf(RateLimitError);
  expect(error).toMatchObject({ code: 'RATE_LIMIT_EXCEEDED', details: { retryAfter: expect.any(Number) } });
});

describe('the examples', () => {
  const example = (name: string): string =>
    fileURLToPath(new URL(`../../../packages/sdk/examples/${name}`, import.meta.url));
  const env = (key: string) => ({ ...process.env, POSTRIDER_URL: baseUrl, POSTRIDER_KEY: key });

  it('send.ts sends', async () => {
    const options = { env: env(test.project.secretKey) };
    const { stdout } = await run(
      process.execPath,
      [example('send.ts'), from, 'example@example.com'],
      options,
    );
    expect(stdout.trim()).toMatch(/^[0-9a-f-]{36}$/);
    expect(await emailsTo('example@example.com')).toHaveLength(1);
  });

  it('track.ts tracks', async () => {
    const options = { env: env(test.project.publicKey) };
    const { stdout } = await run(process.execPath, [example('track.ts'), 'e@example.com'], options);
    expect(stdout).toBe('2 events stored\n');
  });
});
