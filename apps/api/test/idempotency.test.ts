import { createHash } from 'node:crypto';
import { createTestProject, verifiedDomain } from '@postrider/core/testing';
import { ConflictError, Postrider, type SendResult } from '@postrider/sdk';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Answer, codeOf, type Send, startApp, type TestApp } from './harness.ts';

/** What a repeated idempotency key answers, through REST, GraphQL and the SDK (behaviour B8.4). */
let test: TestApp;
let baseUrl: string;
let send: Send;
let client: Postrider;

const mail = { from: 'a@keys.example.com', subject: 'S', body: '<p>B</p>' };

beforeAll(async () => {
  test = await startApp();
  baseUrl = await test.app.listen({ host: '127.0.0.1', port: 0 });
  send = test.withKey(test.project.secretKey);
  client = new Postrider({ apiKey: test.project.secretKey, baseUrl });
  await verifiedDomain(test.services, test.project.id, 'keys.example.com');
});
afterAll(() => test.close());

const post = (to: unknown, key: string, more: object = {}) =>
  send('POST', '/v1/send', { ...mail, to, ...more }, { 'idempotency-key': key });
const emailsTo = (to: string) => test.services.database.prisma.email.count({ where: { to } });
const digestOf = (text: string): string => `sha-256=:${createHash('sha256').update(text).digest('base64')}:`;

const mutation =
  'mutation ($input: SendEmailInput!, $key: String) { sendEmail(input: $input, idempotencyKey: $key) { emails { email } } }';
const graphql = (query: string, variables: object = {}, headers: Record<string, string> = {}) =>
  send('POST', '/graphql', { query, variables }, headers);

describe('20 equal requests with one key at once make one email, and nineteen answers name it:', () => {
  const twenty = Array.from({ length: 20 });

  it('REST', async () => {
    const answers = await Promise.all(twenty.map(() => post('rest@people.test', 'rest')));
    const [first] = answers.filter(({ status }) => status === 200);
    const id = first?.body.data.emails[0].email;
    const named = answers.flatMap(({ status, body }) =>
      status === 409 ? body.error.details.emails.map(({ email }: { email: string }) => email) : [],
    );
    expect(named).toEqual(Array(19).fill(id));
    expect(await emailsTo('rest@people.test')).toBe(1);
  });

  it('GraphQL, by the argument and by the header', async () => {
    for (const [to, byHeader] of [
      ['argument@people.test', false],
      ['header@people.test', true],
    ] as const) {
      const input = { ...mail, to };
      const answers = await Promise.all(
        twenty.map(() =>
          byHeader
            ? graphql(mutation, { input }, { 'idempotency-key': to })
            : graphql(mutation, { input, key: to }),
        ),
      );
      const ids = answers.flatMap(({ body }) => body.data?.sendEmail?.emails ?? []);
      const refused = answers.flatMap(({ body }) => body.errors?.[0]?.extensions ?? []);
      expect(ids).toHaveLength(1);
      expect(refused.map(({ code }: { code: string }) => code)).toEqual(
        Array(19).fill('IDEMPOTENCY_KEY_REUSED'),
      );
      expect(refused.map(({ details }) => details.emails[0].email)).toEqual(Array(19).fill(ids[0].email));
      expect(refused[0].details).toMatchObject({ originalRequest: 'POST /graphql', originalStatusCode: 200 });
      expect(await emailsTo(to)).toBe(1);
    }
  });

  it('the SDK, for which they are successes', async () => {
    const results = await Promise.all(
      twenty.map(() => client.send({ ...mail, to: 'sdk@people.test' }, { idempotencyKey: 'sdk' })),
    );
    const ids = new Set(results.map(({ emails }: SendResult) => emails[0]?.email));
    expect(ids.size).toBe(1);
    expect(results.filter(({ repeated }) => repeated)).toHaveLength(19);
    expect(await emailsTo('sdk@people.test')).toBe(1);
  });
});

describe('the refusal of a repeated key', () => {
  const details = async (answer: Promise<Answer>) => {
    const { status, body } = await answer;
    expect(status).toBe(409);
    return body.error.details;
  };

  it('has the digest of the first body, and its emails in order with their present state', async () => {
    const payload = JSON.stringify({ ...mail, to: ['b@people.test', 'a@people.test'] });
    const headers = { 'content-type': 'application/json', 'idempotency-key': 'state' };
    const first = await send('POST', '/v1/send', payload, headers);
    const [{ email }, { email: second }] = first.body.data.emails;
    await test.services.database.prisma.email.update({
      where: { id: email },
      data: { status: 'SKIPPED', reason: 'suppressed' },
    });
    const repeated = await send('POST', '/v1/send', '{"other": true}', headers);
    expect(repeated.body.error).toMatchObject({
      details: {
        originalDigest: digestOf(payload),
        emails: [
          {
            contact: first.body.data.emails[0].contact,
            email,
            to: 'b@people.test',
            status: 'SKIPPED',
            reason: 'suppressed',
          },
          { email: second, to: 'a@people.test', status: 'PENDING', reason: null },
        ],
      },
      suggestion:
        'The first request with this key was accepted; details has what it created. Do not send it again under another key, unless you want a second email',
    });
  });

  it('stands before the body is read, and a malformed one changes nothing', async () => {
    await post('unread@people.test', 'unread');
    const headers = { 'content-type': 'application/json', 'idempotency-key': 'unread' };
    expect((await send('POST', '/v1/send', '{"', headers)).status).toBe(409);
  });

  it('names more recipients than one group holds, in the order of the request', async () => {
    const to = Array.from({ length: 1_000 }, (_, n) => `many${(n * 7) % 1_000}@people.test`);
    const first = await post(to, 'many');
    expect(
      (await details(post('x@people.test', 'many'))).emails.map(({ email }: { email: string }) => email),
    ).toEqual(first.body.data.emails.map(({ email }: { email: string }) => email));
  });

  it('shows nothing of a person whose contact was deleted since', async () => {
    const first = await post('erased@people.test', 'erased');
    const [{ contact, email }] = first.body.data.emails;
    await send('DELETE', `/contacts/${contact.id}`);
    expect((await details(post('x@people.test', 'erased'))).emails).toMatchObject([
      { contact: null, email, to: '' },
    ]);
  });

  it('names the event and the contact of a tracked event', async () => {
    const track = test.withKey(test.project.publicKey);
    const body = { email: 'tracked@people.test', event: 'bought' };
    const headers = { 'idempotency-key': 'tracked' };
    const first = await track('POST', '/v1/track', body, headers);
    const { event, contact } = first.body.data;
    expect(await details(track('POST', '/v1/track', body, headers))).toMatchObject({
      event,
      contact,
      originalDigest: digestOf(JSON.stringify(body)),
    });
    const own = { 'idempotency-key': 'recorded' };
    const recorded = await send('POST', '/events/track', body, own);
    expect(await details(send('POST', '/events/track', body, own))).toMatchObject({
      event: recorded.body.id,
      contact: recorded.body.contactId,
    });
  });

  it('tells a public key, which every visitor can read, nothing of email', async () => {
    await post('private@people.test', 'private');
    const answer = await test.withKey(test.project.publicKey)(
      'POST',
      '/v1/track',
      { email: 'visitor@people.test', event: 'e' },
      { 'idempotency-key': 'private' },
    );
    expect(answer.body.error.details).toEqual({
      key: 'private',
      originalRequest: 'POST /v1/send',
      originalRequestAt: expect.any(String),
      originalStatusCode: 200,
      originalDigest: null,
    });
  });

  it('splits the emails of a request with several items', async () => {
    const first = await post(['i@people.test', 'j@people.test', 'k@people.test'], 'items');
    const emails = first.body.data.emails.map(({ email }: { email: string }) => ({ email }));
    await test.services.database.prisma.idempotencyKey.update({
      where: { projectId_key: { projectId: test.project.id, key: 'items' } },
      data: { sizes: [2, 0, 1] },
    });
    expect((await details(post('x@people.test', 'items'))).results).toMatchObject([
      { index: 0, status: 'ACCEPTED', emails: emails.slice(0, 2) },
      { index: 1, status: 'REFUSED' },
      { index: 2, status: 'ACCEPTED', emails: emails.slice(2) },
    ]);
  });

  it('is the same for a member of the project who is signed in', async () => {
    const session = await test.withSession();
    const headers = { 'idempotency-key': 'signed in' };
    const body = { email: 'session@people.test', event: 'e' };
    const { body: event } = await session('POST', '/events/track', body, headers);
    expect(await details(session('POST', '/events/track', body, headers))).toMatchObject({ event: event.id });
  });

  it('of another project is free', async () => {
    await post('mine@people.test', 'shared');
    const other = await createTestProject(test.services);
    const answer = await test.withKey(other.publicKey)(
      'POST',
      '/v1/track',
      { email: 'theirs@people.test', event: 'e' },
      { 'idempotency-key': 'shared' },
    );
    expect(answer.status).toBe(200);
  });
});

it('a key that has expired belongs to the next request altogether', async () => {
  await post('old@people.test', 'expired');
  const where = { projectId_key: { projectId: test.project.id, key: 'expired' } };
  const keys = test.services.database.prisma.idempotencyKey;
  await keys.update({ where, data: { createdAt: new Date(Date.now() - 25 * 3_600_000), sizes: [1] } });
  const body = { email: 'new@people.test', event: 'e' };
  const tracked = await send('POST', '/events/track', body, { 'idempotency-key': 'expired' });
  expect(await keys.findUnique({ where })).toMatchObject({
    eventId: tracked.body.id,
    emailIds: [],
    sizes: [],
    digest: digestOf(JSON.stringify(body)),
  });
});

describe('the header in GraphQL', () => {
  const track = (alias: string, key = '') =>
    `${alias}: trackEvent(input: {email: "h@people.test", event: "e"}${key && `, idempotencyKey: "${key}"`}) { event }`;
  const headers = { 'idempotency-key': 'header' };

  it('is refused for several mutations without the argument, and for none', async () => {
    for (const query of [
      `mutation { ${track('a')} ${track('b')} }`,
      `mutation { ${track('a', 'a')} }`,
      'mutation { addSuppressions(input: {emails: ["a@people.test"]}) { added } }',
      '{ contacts { totalCount } }',
      `mutation { ...F } fragment F on Mutation { ${track('a')} ...G } fragment G on Mutation { ${track('b')} ...F }`,
    ])
      expect([query, codeOf(await graphql(query, {}, headers))]).toEqual([query, 'BAD_REQUEST']);
    const batch = [{ query: `mutation { ${track('a')} }` }, { query: `mutation { ${track('b')} }` }];
    expect(codeOf(await send('POST', '/graphql', batch, headers))).toBe('BAD_REQUEST');
    const malformed = { 'idempotency-key': 'x'.repeat(256) };
    expect(codeOf(await graphql(`mutation { ${track('a')} }`, {}, malformed))).toBe('BAD_REQUEST');
  });

  it('counts for the one mutation that is run without the argument', async () => {
    const query = `mutation ($skip: Boolean = true, $none: String) {
      ${track('a', 'beside')} ${track('b').replace(') {', ', idempotencyKey: $none) {')}
      ${track('c').replace(' { event }', ' @skip(if: $skip) { event }')} }`;
    const first = await graphql(query, {}, { 'idempotency-key': 'alone' });
    expect(first.body.errors).toBeUndefined();
    const { b } = first.body.data;
    const again = await graphql(`mutation { ${track('b', 'alone')} }`);
    expect(again.body.errors[0].extensions.details).toMatchObject({ event: b.event });
  });

  it('an argument is refused where the input takes no key, and when it is malformed', async () => {
    const named = 'mutation { recordEvent(input: {name: "e"}, idempotencyKey: "n") { id } }';
    expect(codeOf(await graphql(named))).toBe('BAD_REQUEST');
    expect(codeOf(await graphql(`mutation { ${track('a', 'é')} }`))).toBe('BAD_REQUEST');
    const recorded =
      'mutation { recordEvent(input: {email: "r@people.test", event: "e"}, idempotencyKey: "r") { id } }';
    const first = await graphql(recorded);
    const again = await graphql(recorded);
    expect(again.body.errors[0].extensions.details.event).toBe(first.body.data.recordEvent.id);
  });
});

describe('the SDK', () => {
  it('gets the first result from another process, and a ConflictError for another body', async () => {
    const first = await client.send({ ...mail, to: 'job@people.test' }, { idempotencyKey: 'job' });
    const restarted = new Postrider({ apiKey: test.project.secretKey, baseUrl });
    const again = await restarted.send({ ...mail, to: 'job@people.test' }, { idempotencyKey: 'job' });
    const made = first.emails.map(({ estimatedSendAt: _, ...email }) => email);
    expect(again).toMatchObject({ emails: made, repeated: true, answerLost: false });
    await expect(
      restarted.send({ ...mail, to: 'other@people.test' }, { idempotencyKey: 'job' }),
    ).rejects.toThrow(ConflictError);
    expect(await emailsTo('job@people.test')).toBe(1);
  });

  it('does the same for events, with either kind of key', async () => {
    for (const apiKey of [test.project.publicKey, test.project.secretKey]) {
      const tracker = new Postrider({ apiKey, baseUrl });
      const input = { email: 'events@people.test', event: 'e' };
      const options = { idempotencyKey: `events ${apiKey.slice(0, 2)}` };
      const { event, contact } = await tracker.track(input, options);
      expect(await tracker.track(input, options)).toMatchObject({ event, contact, repeated: true });
      await expect(tracker.track({ ...input, event: 'f' }, options)).rejects.toThrow(ConflictError);
    }
  });
});

it('a send without a key stores nothing about keys', async () => {
  const before = await test.services.database.prisma.idempotencyKey.count();
  await send('POST', '/v1/send', { ...mail, to: 'keyless@people.test' });
  expect(await test.services.database.prisma.idempotencyKey.count()).toBe(before);
});
