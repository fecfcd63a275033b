import { verifiedDomain } from '@postrider/core/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Answer, codeOf, type Send, startApp, type TestApp } from './harness.ts';

/** Named keys and rotation with a grace time (behaviour B11.2). */
let test: TestApp;
let owner: Send;
let path: string;
const inner = 'inner@own.example.com';
const outer = 'outer@other.example.com';
const content = { name: 'Hello', subject: 'S', body: '<p>B</p>' };

beforeAll(async () => {
  test = await startApp();
  owner = await test.withSession();
  path = `/users/@me/projects/${test.project.id}/keys`;
  await verifiedDomain(test.services, test.project.id, 'own.example.com');
  await verifiedDomain(test.services, test.project.id, 'other.example.com');
});
afterAll(() => test.close());

const create = async (fields: object): Promise<Answer> => owner('POST', path, { name: 'A key', ...fields });
async function keyOf(fields: object): Promise<{ id: string; key: string; send: Send }> {
  const { status, body } = await create(fields);
  expect(status).toBe(201);
  return { id: body.id, key: body.key, send: test.withKey(body.key) };
}
const refusal = (answer: Answer) => [answer.status, codeOf(answer)];
const graphql = (send: Send, query: string) => send('POST', '/graphql', { query });

describe('POST, GET and DELETE /users/@me/projects/:id/keys', () => {
  it('201 with the key, which is shown this once and stored as a hash', async () => {
    const expiresAt = new Date(Date.now() + 60_000).toISOString();
    const { status, body } = await create({
      name: ' Shop ',
      scope: 'send',
      domains: ['OWN.example.com'],
      expiresAt,
    });
    expect(status).toBe(201);
    const { key, ...record } = body;
    expect(key).toMatch(/^sk_[0-9a-f]{64}$/);
    expect(record).toEqual({
      id: expect.any(String),
      name: 'Shop',
      prefix: key.slice(0, 11),
      scope: 'send',
      domains: ['own.example.com'],
      lastUsedAt: null,
      expiresAt,
      createdAt: expect.any(String),
    });
    const list = await owner('GET', path);
    expect([list.status, list.body[0]]).toEqual([200, record]);
    expect(list.text).not.toContain(key);
    const rows = await test.services.database.durable.query('SELECT t::text FROM "ApiKey" t');
    expect(JSON.stringify(rows.rows)).not.toContain(key.slice(12));
  });

  it('204, and the key stops working; a deleted one is 404', async () => {
    const { id, send } = await keyOf({ scope: 'full' });
    expect((await send('GET', '/contacts')).status).toBe(200);
    expect((await owner('DELETE', `${path}/${id}`)).status).toBe(204);
    expect(refusal(await send('GET', '/contacts'))).toEqual([401, 'INVALID_API_KEY']);
    expect(refusal(await owner('DELETE', `${path}/${id}`))).toEqual([404, 'RESOURCE_NOT_FOUND']);
    expect((await owner('DELETE', `${path}/nonsense`)).status).toBe(422);
  });

  it.each([
    ['name', { scope: 'full', name: ' ' }],
    ['scope', {}],
    ['scope', { scope: 'FULL' }],
    ['domains.0', { scope: 'full', domains: ['no domain'] }],
    ['domains', { scope: 'full', domains: [] }],
    ['expiresAt', { scope: 'full', expiresAt: '2020-01-01' }],
    ['expiresAt', { scope: 'full', expiresAt: 'soon' }],
  ])('422 at %s for %j', async (field, fields) => {
    const answer = await create(fields);
    expect([answer.status, answer.body.error.errors[0].field]).toEqual([422, field]);
  });

  it('403 for a MEMBER, 401 for a key', async () => {
    const member = await test.withSession('MEMBER');
    expect(refusal(await member('GET', path))).toEqual([403, 'FORBIDDEN']);
    expect(refusal(await member('POST', path, { name: 'K', scope: 'full' }))).toEqual([403, 'FORBIDDEN']);
    const { send } = await keyOf({ scope: 'full' });
    expect(refusal(await send('GET', path))).toEqual([401, 'UNAUTHORIZED']);
  });
});

describe('scopes', () => {
  it('send: sends, verifies addresses and reads one email; all else is 403', async () => {
    const { send } = await keyOf({ scope: 'send' });
    const sent = await send('POST', '/v1/send', { ...content, to: 'ada@example.com', from: inner });
    expect(sent.status).toBe(200);
    const emailId = sent.body.data.emails[0].email;
    expect((await send('POST', '/v1/verify', { email: 'ada@localhost.invalid' })).status).toBe(200);
    expect((await send('GET', `/emails/${emailId}`)).status).toBe(200);
    for (const [method, url] of [
      ['GET', '/emails'],
      ['GET', `/emails/${emailId}/preview`],
      ['GET', '/contacts'],
      ['POST', '/contacts'],
      ['POST', '/templates'],
      ['GET', `/projects/${test.project.id}/members`],
      ['GET', '/audit'],
    ] as const) {
      expect([url, ...refusal(await send(method, url))]).toEqual([url, 403, 'FORBIDDEN']);
    }
    expect((await graphql(send, `{ email(id: "${emailId}") { id } }`)).body.data.email.id).toBe(emailId);
    expect(codeOf(await graphql(send, `{ email(id: "${emailId}") { id contact { id } } }`))).toBe(
      'FORBIDDEN',
    );
    expect(codeOf(await graphql(send, '{ project { name } }'))).toBe('FORBIDDEN');
    expect(codeOf(await graphql(send, '{ contacts { edges { node { id } } } }'))).toBe('FORBIDDEN');
    expect(
      codeOf(
        await graphql(send, 'mutation { trackEvent(input: {email: "a@example.com", event: "x"}) { event } }'),
      ),
    ).toBe('FORBIDDEN');
  });

  it('read: reads, and in GraphQL runs queries only', async () => {
    const { send } = await keyOf({ scope: 'read' });
    for (const url of ['/contacts', '/emails', '/audit', `/projects/${test.project.id}/members`]) {
      expect([url, (await send('GET', url)).status]).toEqual([url, 200]);
    }
    for (const url of [
      '/contacts',
      '/contacts/lookup',
      '/v1/send',
      '/v1/verify',
      '/templates',
      '/events/track',
    ]) {
      expect([url, ...refusal(await send('POST', url, {}))]).toEqual([url, 403, 'FORBIDDEN']);
    }
    expect((await graphql(send, '{ project { id } }')).body.data.project.id).toBe(test.project.id);
    const { rows } = await test.services.database.durable.query<{ id: string }>('SELECT "id" FROM "Domain"');
    const mutation = `mutation { verifyDomain(input: {id: "${rows[0]?.id}"}) { id } }`;
    expect(codeOf(await graphql(send, mutation))).toBe('FORBIDDEN');
  });

  it('track: the same as the public key', async () => {
    const { key, send } = await keyOf({ scope: 'track' });
    expect(key).toMatch(/^pk_/);
    expect((await send('POST', '/v1/track', { email: 'ada@example.com', event: 'x' })).status).toBe(200);
    expect(refusal(await send('GET', '/contacts'))).toEqual([401, 'INVALID_API_KEY']);
    expect(refusal(await graphql(send, '{ project { id } }'))).toEqual([401, 'INVALID_API_KEY']);
  });

  it.each(['full', 'send', 'read'])('a key with the scope %s is 401 on /v1/track', async (scope) => {
    const { send } = await keyOf({ scope });
    const answer = await send('POST', '/v1/track', { email: 'ada@example.com', event: 'x' });
    expect(refusal(answer)).toEqual([401, 'INVALID_API_KEY']);
  });

  it('full: as the secret key of the project', async () => {
    const { send } = await keyOf({ scope: 'full' });
    expect((await send('POST', '/contacts', { email: 'full@example.com' })).status).toBe(201);
    expect((await graphql(send, '{ project { id } }')).status).toBe(200);
    const mutation = 'mutation { trackEvent(input: {email: "a@example.com", event: "x"}) { event } }';
    expect((await graphql(send, mutation)).body.data.trackEvent.event).toEqual(expect.any(String));
  });
});

describe('domains', () => {
  it('403 for a workflow that sends a template from outside: naming it, enabling it, starting it', async () => {
    const { send } = await keyOf({ scope: 'full', domains: ['own.example.com'] });
    const foreign = (await owner('POST', '/templates', { ...content, from: outer })).body;
    const own = (await owner('POST', '/templates', { ...content, from: inner })).body;
    const workflow = (await send('POST', '/workflows', { name: 'W', eventName: 'signup' })).body;
    const contact = (await send('POST', '/contacts', { email: 'flow@example.com' })).body;
    const step = (templateId: string) => ({
      type: 'SEND_EMAIL',
      name: 'Send',
      position: { x: 0, y: 0 },
      config: {},
      templateId,
    });
    const path = `/workflows/${workflow.id}`;
    expect(refusal(await send('POST', `${path}/steps`, step(foreign.id)))).toEqual([403, 'FORBIDDEN']);
    const added = await send('POST', `${path}/steps`, step(own.id));
    expect(added.status).toBe(201);
    const changed = { templateId: foreign.id };
    expect(refusal(await send('PATCH', `${path}/steps/${added.body.id}`, changed))).toEqual([
      403,
      'FORBIDDEN',
    ]);

    expect((await owner('PATCH', `${path}/steps/${added.body.id}`, changed)).status).toBe(200);
    expect(refusal(await send('PATCH', path, { enabled: true }))).toEqual([403, 'FORBIDDEN']);
    expect((await owner('PATCH', path, { enabled: true })).status).toBe(200);
    expect(refusal(await send('POST', `${path}/executions`, { contactId: contact.id }))).toEqual([
      403,
      'FORBIDDEN',
    ]);
    expect((await owner('POST', `${path}/executions`, { contactId: contact.id })).status).toBe(201);
  });

  it('403 for a from outside, in sends, templates and campaigns; nothing is stored', async () => {
    const { send } = await keyOf({ scope: 'full', domains: ['own.example.com'] });
    const foreign = (await owner('POST', '/templates', { ...content, from: outer })).body;
    const campaign = (await owner('POST', '/campaigns', { ...content, from: outer, audienceType: 'ALL' }))
      .body.data;
    const own = (await send('POST', '/templates', { ...content, from: inner })).body;
    const ownCampaign = (await send('POST', '/campaigns', { ...content, from: inner, audienceType: 'ALL' }))
      .body.data;
    const before = await counts();
    for (const [method, url, body] of [
      ['POST', '/v1/send', { ...content, to: 'ada@example.com', from: outer }],
      ['POST', '/v1/send', { to: 'ada@example.com', template: foreign.id }],
      ['POST', '/templates', { ...content, from: outer }],
      ['PATCH', `/templates/${own.id}`, { from: outer }],
      ['PATCH', `/templates/${foreign.id}`, { subject: 'Changed' }],
      ['POST', `/templates/${foreign.id}/duplicate`, {}],
      ['POST', '/campaigns', { ...content, from: outer, audienceType: 'ALL' }],
      ['PUT', `/campaigns/${ownCampaign.id}`, { ...content, from: outer, audienceType: 'ALL' }],
      ['POST', `/campaigns/${campaign.id}/send`, {}],
      ['POST', `/campaigns/${campaign.id}/duplicate`, {}],
    ] as const) {
      expect([url, ...refusal(await send(method, url, body))]).toEqual([url, 403, 'FORBIDDEN']);
    }
    expect(await counts()).toEqual(before);
    const sent = await send('POST', '/v1/send', {
      to: 'ada@example.com',
      template: own.id,
      subscribed: true,
    });
    expect(sent.status).toBe(200);
  });

  const counts = async () =>
    (
      await test.services.database.durable.query(
        `SELECT (SELECT count(*) FROM "Email") AS emails, (SELECT count(*) FROM "Template") AS templates,
           (SELECT count(*) FROM "Campaign") AS campaigns, (SELECT count(*) FROM "Contact") AS contacts`,
      )
    ).rows;
});

it('a key past its end is 401', async () => {
  const { id, send } = await keyOf({ scope: 'full', expiresAt: new Date(Date.now() + 60_000).toISOString() });
  expect((await send('GET', '/contacts')).status).toBe(200);
  await test.services.database.prisma.apiKey.update({
    where: { id },
    data: { expiresAt: new Date(Date.now() - 1) },
  });
  expect(refusal(await send('GET', '/contacts'))).toEqual([401, 'INVALID_API_KEY']);
});

it('the last use is written at most once a minute', async () => {
  const { id, send } = await keyOf({ scope: 'read' });
  const lastUse = async () =>
    (await owner('GET', path)).body.find((each: { id: string }) => each.id === id).lastUsedAt;
  const start = Date.now();
  await Promise.all(Array.from({ length: 20 }, () => send('GET', '/templates')));
  const first = await lastUse();
  expect(Date.parse(first)).toBeGreaterThanOrEqual(start - 1000);
  await send('GET', '/templates');
  expect(await lastUse()).toBe(first);
  await test.services.database.durable.query(
    `UPDATE "ApiKey" SET "lastUsedAt" = "lastUsedAt" - interval '1 minute' WHERE "id" = $1`,
    [id],
  );
  await send('GET', '/templates');
  expect(Date.parse(await lastUse())).toBeGreaterThanOrEqual(Date.parse(first));
});

it('requests with different keys of one kind are counted in one window, each with a count of its own', async () => {
  const { send } = await keyOf({ scope: 'full' });
  const secret = test.withKey(test.project.secretKey);
  const answers = await Promise.all(
    Array.from({ length: 30 }, (_, index) => (index % 2 ? send : secret)('GET', '/templates')),
  );
  const remaining = answers.map(({ headers }) => Number(headers['ratelimit-remaining']));
  expect(new Set(remaining).size).toBe(30);
  expect(Math.max(...remaining) - Math.min(...remaining)).toBe(29);
});

it('the audit log names the key, also after it was deleted', async () => {
  const { id, send } = await keyOf({ scope: 'full', name: 'Importer' });
  const { body } = await send('POST', '/templates', { ...content, from: inner });
  await owner('DELETE', `${path}/${id}`);
  const entries = await owner('GET', `/audit?targetId=${body.id}`);
  expect(entries.body.data).toMatchObject([
    { operation: 'templates.create', actor: { type: 'key', id, label: 'Importer' } },
  ]);
  expect((await owner('GET', `/audit?actorId=${id}`)).body.total).toBe(1);
  const ofKey = await owner('GET', `/audit?targetId=${id}`);
  expect(ofKey.body.data.map(({ operation }: { operation: string }) => operation)).toEqual([
    'keys.delete',
    'keys.create',
  ]);
});

describe('regenerate-keys', () => {
  const regenerate = (body?: object) =>
    owner('POST', `/users/@me/projects/${test.project.id}/regenerate-keys`, body);

  it('422 for hours out of range', async () => {
    for (const graceHours of [-1, 169, 1.5, 'x']) {
      const answer = await regenerate({ graceHours });
      expect([answer.status, answer.body.error.errors[0].field]).toEqual([422, 'graceHours']);
    }
  });

  it('keeps the old pair for the grace time, and named keys for ever; without one, every old pair stops', async () => {
    const named = await keyOf({ scope: 'full' });
    const { secretKey, publicKey } = test.project;
    const second = await regenerate({ graceHours: 2 });
    expect(second.status).toBe(200);
    const status = async (key: string) => (await test.withKey(key)('GET', '/contacts')).status;
    const track = async (key: string) =>
      (await test.withKey(key)('POST', '/v1/track', { email: 'ada@example.com', event: 'x' })).status;
    expect([await status(secretKey), await status(second.body.secret), await status(named.key)]).toEqual([
      200, 200, 200,
    ]);
    expect([await track(publicKey), await track(second.body.public)]).toEqual([200, 200]);
    const listed = await owner('GET', path);
    expect(listed.body.every(({ name }: { name: string }) => name !== '')).toBe(true);

    const third = await regenerate();
    expect([
      await status(secretKey),
      await status(second.body.secret),
      await track(publicKey),
      await status(third.body.secret),
      await status(named.key),
    ]).toEqual([401, 401, 401, 200, 200]);
  });
});
