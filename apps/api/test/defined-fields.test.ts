import { createTestProject, verifiedDomain } from '@postrider/core/testing';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Send, startApp, type TestApp } from './harness.ts';

/** Definitions of contact fields by REST, with a project that the gate reads for each request (behaviour B2.1, B4.5). */
let test: TestApp;
let send: Send;
let sendPublic: Send;

beforeAll(async () => {
  test = await startApp({ RATE_LIMIT_PER_MINUTE: '100000' });
  Object.assign(test.services.workflows, { signal: async () => undefined, signalDebounced: () => undefined });
  await verifiedDomain(test.services, test.project.id, 'defined.example.com');
  send = test.withKey(test.project.secretKey);
  sendPublic = test.withKey(test.project.publicKey);
});
afterAll(() => test.close());

const define = (field: string, body: object) =>
  send('PUT', `/contacts/fields/${encodeURIComponent(field)}`, body);
const warnings = [{ field: 'data.age', code: 'invalid_type' }];

it('a definition is made by PUT and counts for the next request of each door', async () => {
  expect((await define('data.age', { type: 'NUMBER', label: ' Age ' })).body).toEqual({
    field: 'data.age',
    label: 'Age',
    type: 'NUMBER',
    converting: true,
    unread: 0,
    createdAt: expect.any(String),
    updatedAt: expect.any(String),
  });
  await define('tags', { type: 'LIST' });
  const email = 'ann@people.example';
  const wrong = await send('POST', '/contacts', { email, data: { age: 'old', tags: ['a'] } });
  expect([wrong.status, wrong.body.error.errors]).toEqual([
    422,
    [expect.objectContaining({ field: 'data.age', code: 'invalid_type' })],
  ]);
  const made = await send('POST', '/contacts', { email, data: { age: '30', tags: ['a', 'b'] } });
  expect([made.status, made.body.data]).toEqual([201, { age: 30, tags: ['a', 'b'] }]);
  const changed = await send('PATCH', `/contacts/${made.body.id}`, {
    data: { tags: { add: ['c'], remove: ['a'] } },
  });
  expect(changed.body.data).toEqual({ age: 30, tags: ['b', 'c'] });

  const mail = { to: email, from: 'hello@defined.example.com', subject: 'S', body: 'B' };
  expect((await send('POST', '/v1/send', { ...mail, data: { age: 'old' } })).body.data.warnings).toEqual(
    warnings,
  );
  expect((await send('POST', '/v1/send', { ...mail, data: { age: 31 } })).body.data).not.toHaveProperty(
    'warnings',
  );
  const tracked = await sendPublic('POST', '/v1/track', { email, event: 'seen', data: { age: 'old' } });
  expect([tracked.status, tracked.body.data.warnings]).toEqual([200, warnings]);
  expect((await send('POST', '/events/track', { email, event: 'seen', data: { age: 'old' } })).status).toBe(
    201,
  );
  expect((await send('GET', `/contacts/${made.body.id}`)).body.data).toEqual({ age: 31, tags: ['b', 'c'] });

  const { fields } = (await send('GET', '/contacts/fields')).body;
  expect(fields).toContainEqual({
    field: 'data.tags',
    type: 'list',
    coverage: 100,
    label: null,
    definition: { type: 'LIST', converting: true, unread: 0 },
    similar: [],
  });
  const condition = {
    logic: 'AND',
    groups: [{ filters: [{ field: 'data.tags', operator: 'hasAllOf', value: ['b', 'c'] }] }],
  };
  expect((await send('POST', '/segments', { name: 'B and C', condition })).body.memberCount).toBe(1);
});

it('what cannot be defined is refused, and no other project is concerned', async () => {
  for (const field of ['email', 'svc_id', 'k'.repeat(101)]) {
    const { status, body } = await define(field, { type: 'TEXT' });
    expect([status, body.error.code]).toEqual([400, 'BAD_REQUEST']);
  }
  for (const body of [
    {},
    { type: 'JSON' },
    { type: 'TEXT', label: 'l'.repeat(101) },
    { type: 'TEXT', typ: 1 },
  ])
    expect((await define('plan', body)).status).toBe(422);
  const other = await createTestProject(test.services);
  const made = await test.withKey(other.secretKey)('POST', '/contacts', {
    email: 'ann@people.example',
    data: { age: 'old' },
  });
  expect([made.status, made.body.data]).toEqual([201, { age: 'old' }]);
  expect((await send('PUT', '/contacts/fields/data.age', { type: null })).body).toMatchObject({ type: null });
  expect((await sendPublic('PUT', '/contacts/fields/data.age', { type: null })).status).toBe(401);
});
