import { createTestProject, verifiedDomain } from '@postrider/core/testing';
import { Postrider } from '@postrider/sdk';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Send, startApp, type TestApp } from './harness.ts';

/** Shared messages and batches through REST, GraphQL and the SDK (behaviour B15.2, B15.3). */
let test: TestApp;
let baseUrl: string;
let send: Send;
let client: Postrider;

const from = 'a@batch.example.com';
const mail = { from, subject: 'S', body: '<p>B</p>' };

beforeAll(async () => {
  test = await startApp({ RATE_LIMIT_PER_MINUTE: '100' });
  baseUrl = await test.app.listen({ host: '127.0.0.1', port: 0 });
  send = test.withKey(test.project.secretKey);
  client = new Postrider({ apiKey: test.project.secretKey, baseUrl, maxRetries: 0 });
  await verifiedDomain(test.services, test.project.id, 'batch.example.com');
});
afterAll(() => test.close());

const items = [
  { ...mail, to: 'a@people.test', cc: { name: 'Boss', email: 'boss@people.test' } },
  { ...mail, to: 'not an address', htmll: 'x' },
  { ...mail, to: ['b@people.test', 'c@people.test'] },
];
/** Without ids and times. */
const outline = (
  results: {
    status: string;
    emails?: { to: string; recipientType: string }[] | null;
    error?: { errors?: object[] | null } | null;
  }[],
) =>
  results.map(({ status, emails, error }) => ({
    status,
    emails: emails?.map(({ to, recipientType }) => `${recipientType} ${to}`) ?? null,
    errors: error?.errors ?? null,
  }));
const expected = [
  { status: 'ACCEPTED', emails: ['TO a@people.test', 'CC boss@people.test'], errors: null },
  {
    status: 'REFUSED',
    emails: null,
    errors: [
      expect.objectContaining({ field: 'to', code: 'invalid_string' }),
      expect.objectContaining({ field: 'htmll', code: 'unsupported_field' }),
    ],
  },
  { status: 'ACCEPTED', emails: ['TO b@people.test', 'TO c@people.test'], errors: null },
];

describe('a batch', () => {
  it('by REST', async () => {
    const { status, body } = await send(
      'POST',
      '/v1/send/batch',
      { emails: items },
      { 'idempotency-key': 'rest' },
    );
    expect([status, body.success, body.data.accepted, body.data.refused]).toEqual([200, true, 2, 1]);
    expect(outline(body.data.results)).toEqual(expected);
    expect(body.data.results[0].emails[1].contact).toBe(null);
    const again = await send('POST', '/v1/send/batch', { emails: items }, { 'idempotency-key': 'rest' });
    expect(again.status).toBe(409);
    expect(outline(again.body.error.details.results)).toEqual(
      expected.map((each) => ({ ...each, errors: null })),
    );
  });

  it('by GraphQL, whose input has no field that is unknown', async () => {
    const query = `mutation ($input: SendEmailsInput!) { sendEmails(input: $input, idempotencyKey: "graph") {
      accepted refused results { index status emails { email to recipientType } error { code statusCode errors { field code } } } } }`;
    const [, , third] = items;
    const emails = [items[0], { ...mail, to: 'not an address' }, third];
    const { body } = await send('POST', '/graphql', { query, variables: { input: { emails } } });
    expect(outline(body.data.sendEmails.results)).toEqual([
      expected[0],
      { status: 'REFUSED', emails: null, errors: [{ field: 'to', code: 'invalid_string' }] },
      expected[2],
    ]);
    const again = await send('POST', '/graphql', { query, variables: { input: { emails } } });
    expect(again.body.errors[0].extensions.details.results).toHaveLength(3);
  });

  it('by the SDK, which makes a result of a batch that was sent before', async () => {
    const inputs = items as unknown as Parameters<typeof client.sendBatch>[0];
    const first = await client.sendBatch(inputs, { idempotencyKey: 'sdk' });
    expect(outline(first.results)).toEqual(expected);
    const again = await client.sendBatch(inputs, { idempotencyKey: 'sdk' });
    expect(again).toMatchObject({ repeated: true, answerLost: false, accepted: 2, refused: 1 });
    expect(again.results[0]?.emails?.map(({ email }) => email)).toEqual(
      first.results[0]?.emails?.map(({ email }) => email),
    );
    const [one] = inputs;
    if (!one) throw new Error('no input');
    await expect(client.sendBatch([one], { idempotencyKey: 'sdk' })).rejects.toMatchObject({
      name: 'ConflictError',
    });
  });

  it('of an atomic request is all or nothing', async () => {
    const { status, body } = await send('POST', '/v1/send/batch', { emails: items, atomic: true });
    expect([status, body.error.code, body.error.details.results.length]).toEqual([
      422,
      'VALIDATION_ERROR',
      1,
    ]);
  });

  it('is limited like 50 items a request, and refused as a whole beyond that', async () => {
    const project = await createTestProject(test.services);
    await verifiedDomain(test.services, project.id, 'other-batch.example.com');
    const post = test.withKey(project.secretKey);
    const emails = Array.from({ length: 1_000 }, (_, n) => ({
      ...mail,
      from: 'a@other-batch.example.com',
      to: `n${n}@people.test`,
    }));
    const statuses: number[] = [];
    for (let n = 0; n < 6; n += 1) statuses.push((await post('POST', '/v1/send/batch', { emails })).status);
    expect(statuses).toEqual([200, 200, 200, 200, 200, 429]);
    expect(await test.services.database.prisma.email.count({ where: { projectId: project.id } })).toBe(5_000);
  });

  it('cannot be sent with a public key, nor into another project', async () => {
    const answer = await test.withKey(test.project.publicKey)('POST', '/v1/send/batch', { emails: items });
    expect(answer.status).toBe(401);
    const other = await createTestProject(test.services);
    const { body } = await test.withKey(other.secretKey)('POST', '/v1/send/batch', {
      emails: [{ ...mail, to: 'a@people.test' }],
    });
    expect(body.data.results[0].error).toMatchObject({
      statusCode: 403,
      details: { reason: 'DOMAIN_NOT_VERIFIED' },
    });
  });
});
