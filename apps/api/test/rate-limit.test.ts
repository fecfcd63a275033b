import { createTestProject } from '@postrider/core/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { codeOf, startApp, type TestApp } from './harness.ts';

/** Behaviour B8.1. */
let test: TestApp;
beforeAll(async () => {
  test = await startApp({ RATE_LIMIT_PER_MINUTE: '5' });
});
afterAll(() => test.close());

const headersOf = (headers: Record<string, unknown>) =>
  ['limit', 'remaining', 'reset'].map((name) => headers[`ratelimit-${name}`]);

describe('429', () => {
  it('after the last request in the window of each type of key, whatever their results', async () => {
    const secret = test.withKey(test.project.secretKey);
    const open = test.withKey(test.project.publicKey);
    const answers = [
      await secret('GET', '/contacts'),
      await secret('GET', '/contacts/nonsense'),
      await secret('POST', '/v1/verify', { email: 'no address' }),
      await secret('POST', '/graphql', { query: '{ project { id } }' }),
      await secret('POST', '/contacts', '{', { 'content-type': 'application/json' }),
    ];
    expect(answers.map(({ status }) => status)).toEqual([200, 422, 422, 200, 400]);
    expect(answers.map(({ headers }) => headersOf(headers).slice(0, 2))).toEqual(
      ['4', '3', '2', '1', '0'].map((remaining) => ['5', remaining]),
    );

    const refused = await secret('GET', '/contacts');
    expect([refused.status, codeOf(refused), refused.headers['ratelimit-remaining']]).toEqual([
      429,
      'RATE_LIMIT_EXCEEDED',
      '0',
    ]);
    const wait = Number(refused.headers['retry-after']);
    expect(wait).toBeGreaterThanOrEqual(1);
    expect(wait).toBeLessThanOrEqual(60);
    expect(refused.body.error.details).toEqual({ retryAfter: wait });
    expect(refused.headers['ratelimit-reset']).toBe(String(wait));

    const graphql = await secret('POST', '/graphql', { query: '{ project { id } }' });
    expect([graphql.status, codeOf(graphql)]).toEqual([429, 'RATE_LIMIT_EXCEEDED']);

    const tracked = await open('POST', '/v1/track', { email: 'a@example.com', event: 'e' });
    expect([tracked.status, tracked.headers['ratelimit-remaining']]).toEqual([200, '4']);
  });

  it('for a GraphQL request by the root fields of its operations', async () => {
    const project = await createTestProject(test.services);
    const ask = (payload: object) => test.withKey(project.secretKey)('POST', '/graphql', payload);
    const three = await ask([
      { query: '{ project { id } again: project { id name } }' },
      { query: '{ ...root } fragment root on Query { project { id } }' },
    ]);
    expect([three.status, three.headers['ratelimit-remaining']]).toEqual([200, '2']);
    const refused = await ask({ query: '{ a: project { id } b: project { id } c: project { id } }' });
    expect([refused.status, codeOf(refused)]).toEqual([429, 'RATE_LIMIT_EXCEEDED']);
    expect(Number(refused.headers['retry-after'])).toBeGreaterThanOrEqual(1);
  });

  it('for a user across all doors, with every call of a batch counted', async () => {
    const send = await test.withSession();
    expect((await send('GET', '/users/@me')).status).toBe(200);
    expect((await send('GET', '/contacts')).status).toBe(200);
    const batch = await send('GET', '/trpc/contacts.list,users.me,templates.list?batch=1');
    expect(batch.status).toBe(200);
    for (const url of ['/contacts', '/users/@me', '/trpc/contacts.list']) {
      const refused = await send('GET', url);
      expect([refused.status, codeOf(refused)]).toEqual([429, 'RATE_LIMIT_EXCEEDED']);
      expect(Number(refused.headers['retry-after'])).toBeGreaterThanOrEqual(1);
      expect(headersOf(refused.headers)).toEqual([undefined, undefined, undefined]);
    }
    const other = await test.withSession('ADMIN');
    expect((await other('GET', '/contacts')).status).toBe(200);
  });
});

describe('not counted', () => {
  it('a 401, a session, and paths without an operation have none of the headers', async () => {
    const session = await test.withSession('MEMBER');
    const answers = [
      await test.withKey(test.project.publicKey)('GET', '/contacts'),
      await session('GET', '/contacts'),
      await session('GET', '/trpc/contacts.list'),
      await test.withKey(test.project.secretKey)('GET', '/config'),
      await test.withKey(test.project.secretKey)('GET', '/health/live'),
    ];
    expect(answers.map(({ status }) => status)).toEqual([401, 200, 200, 200, 200]);
    for (const { headers } of answers) expect(headersOf(headers)).toEqual([undefined, undefined, undefined]);
  });
});
