import { createHash, randomBytes } from 'node:crypto';
import { verifiedDomain } from '@postrider/core/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Answer, type Send, startApp, type TestApp } from './harness.ts';

/** Limits of attachments and messages (B4.2, B8.3), tested to the last byte. */
let test: TestApp;
let send: Send;

const megabyte = 1_048_576;
const from = 'hello@attach.example.com';

beforeAll(async () => {
  test = await startApp({ RATE_LIMIT_PER_MINUTE: '100000' });
  Object.assign(test.services.workflows, { signal: async () => undefined, signalDebounced: () => undefined });
  await verifiedDomain(test.services, test.project.id, 'attach.example.com');
  send = test.withKey(test.project.secretKey);
});
afterAll(() => test.close());

const file = (bytes: Buffer, name = 'a.bin') => ({
  filename: name,
  content: bytes.toString('base64'),
  contentType: 'application/octet-stream',
});
const post = (attachments: object[], more: object = {}): Promise<Answer> =>
  send('POST', '/v1/send', { to: 'a@people.test', from, subject: 'S', body: 'B', attachments, ...more });
const refusal = ({ status, body }: Answer) => [
  status,
  body?.error?.errors?.[0]?.field,
  body?.error?.errors?.[0]?.code,
];
const hash = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');
const storedBytes = async (): Promise<string[]> =>
  (await test.services.database.prisma.blob.findMany({ where: { projectId: test.project.id } })).map(
    ({ bytes }) => hash(bytes ?? Buffer.alloc(0)),
  );

describe('attachments', () => {
  it('of 10 MB in one file are accepted, and every byte is stored', async () => {
    const bytes = randomBytes(10 * megabyte);
    expect((await post([file(bytes)])).status).toBe(200);
    expect(await storedBytes()).toContain(hash(bytes));
  });

  it('of 10 MB in ten files are accepted', async () => {
    const files = Array.from({ length: 10 }, (_, index) => file(randomBytes(megabyte), `${index}.bin`));
    expect((await post(files)).status).toBe(200);
  });

  it.each([
    ['in one file', [10 * megabyte + 1]],
    ['in ten files', [...Array<number>(9).fill(megabyte), megabyte + 1]],
  ])('of 10 MB and a byte %s are refused', async (_what, sizes) => {
    expect(refusal(await post(sizes.map((size) => file(Buffer.alloc(size)))))).toEqual([
      422,
      'attachments',
      'too_big',
    ]);
  });

  it('are at most 10', async () => {
    const files = Array.from({ length: 11 }, () => file(Buffer.from('a')));
    expect(refusal(await post(files))).toEqual([422, 'attachments', 'too_big']);
    expect((await post(files.slice(1))).status).toBe(200);
  });

  it.each(['filename', 'content', 'contentType'])(
    'that have an empty %s are refused as missing it',
    async (field) => {
      const response = await post([{ ...file(Buffer.from('a')), [field]: '' }]);
      expect(refusal(response)).toEqual([422, `attachments.0.${field}`, 'required']);
    },
  );

  it.each([0, 5_000_001, 13_981_011])(
    'with a wrong character at %i are refused at their field',
    async (at) => {
      const { content, ...rest } = file(Buffer.alloc(10 * megabyte));
      const wrong = { ...rest, content: `${content.slice(0, at)}!${content.slice(at + 1)}` };
      expect(refusal(await post([file(Buffer.from('a')), wrong]))).toEqual([
        422,
        'attachments.1.content',
        'invalid_string',
      ]);
    },
  );
});

describe('the body of /v1/send', () => {
  const limit = 60 * megabyte;
  const body = JSON.stringify({ to: 'a@people.test', from, subject: 'S', body: 'B' });
  const json = { 'content-type': 'application/json' };

  it('may have at most 60 MB, to the byte', async () => {
    expect((await send('POST', '/v1/send', body.padEnd(limit), json)).status).toBe(200);
    expect((await send('POST', '/v1/send', body.padEnd(limit + 1), json)).status).toBe(413);
  });

  it('may have at most 5 MB on other paths, to the byte', async () => {
    const contact = JSON.stringify({ email: 'b@people.test' });
    expect((await send('POST', '/contacts', contact.padEnd(5 * megabyte), json)).status).toBe(201);
    expect((await send('POST', '/contacts', contact.padEnd(5 * megabyte + 1), json)).status).toBe(413);
  });
});

describe('limits of the environment', () => {
  let small: TestApp;

  beforeAll(async () => {
    small = await startApp({ ATTACHMENTS_MAX_COUNT: '2', ATTACHMENTS_MAX_MB: '2', MESSAGE_MAX_MB: '1' });
    Object.assign(small.services.workflows, {
      signal: async () => undefined,
      signalDebounced: () => undefined,
    });
    await verifiedDomain(small.services, small.project.id, 'attach.example.com');
  });
  afterAll(() => small.close());

  it.each([
    ['two files', [10, 10], '', 200],
    ['three files', [10, 10, 10], '', 422],
    ['a message of almost 1 MB', [740_000], '', 200],
    ['a message of more than 1 MB', [770_000], '', 422],
    ['a long body with a small file', [10], 'é'.repeat(400_000), 422],
  ])('%s', async (_what, sizes, more, status) => {
    const answer = await small.withKey(small.project.secretKey)('POST', '/v1/send', {
      to: 'a@people.test',
      from,
      subject: 'S',
      body: `B${more}`,
      attachments: sizes.map((size) => file(Buffer.alloc(size))),
    });
    expect(answer.status).toBe(status);
    if (status === 422) expect(refusal(answer)).toEqual([422, 'attachments', 'too_big']);
  });
});
