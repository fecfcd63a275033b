import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { codeOf, type Send, startApp, type TestApp } from './harness.ts';

/** GET requests and persisted documents (behaviour B4.21). */
let test: TestApp;
let strict: TestApp;
let send: Send;

beforeAll(async () => {
  test = await startApp();
  strict = await startApp({}, { GRAPHQL_PERSISTED_ONLY: true });
  send = test.withKey(test.project.secretKey);
});
afterAll(async () => {
  await test.close();
  await strict.close();
});

const document = 'query Name($with: Boolean! = false) { project { id name @include(if: $with) } }';
const hash = createHash('sha256').update(document).digest('hex');
const documentId = `sha256:${hash}`;
const path = (params: Record<string, string>) => `/graphql?${new URLSearchParams(params)}`;
const refusal = (answer: Awaited<ReturnType<Send>>) => [answer.status, codeOf(answer)];

describe('GET /graphql', () => {
  it('runs a query with variables, which no cache may keep', async () => {
    const answer = await send('GET', path({ query: document, variables: '{"with":true}' }));
    expect(answer.body.data.project).toEqual({ id: test.project.id, name: expect.any(String) });
    expect(answer.headers['cache-control']).toBe('no-store');
    expect(answer.headers['ratelimit-remaining']).toBeDefined();
  });

  it.each([
    ['a mutation', { query: 'mutation { deleteContact(id: "x") }' }, 400, 'BAD_REQUEST'],
    [
      'a mutation beside a query',
      { query: 'query A { project { id } } mutation B { deleteContact(id: "x") }', operationName: 'B' },
      400,
      'BAD_REQUEST',
    ],
    ['a subscription', { query: 'subscription { activity { type } }' }, 400, 'BAD_REQUEST'],
    ['variables that are no JSON', { query: document, variables: '{' }, 400, 'BAD_REQUEST'],
    ['variables nested 3,000 deep', { query: document, variables: '['.repeat(3_000) }, 400, 'BAD_REQUEST'],
    ['no document', { variables: '{}' }, 400, 'INVALID_REQUEST_BODY'],
  ])('refuses %s', async (_what, params, status, code) => {
    expect(refusal(await send('GET', path(params as never)))).toEqual([status, code]);
  });

  it('takes no cookie, so that another site cannot use it', async () => {
    const session = await test.withSession();
    expect(refusal(await session('GET', path({ query: document })))).toEqual([401, 'MISSING_AUTH']);
    expect((await test.anyone('GET', path({ query: document }))).status).toBe(401);
  });
});

describe('persisted documents', () => {
  it('are stored once, listed, run by their id, and deleted', async () => {
    const body = { documents: [document, document] };
    const stored = await send('POST', '/graphql/persisted', body);
    expect([stored.status, stored.body]).toMatchObject([201, [{ id: documentId, document }]]);
    expect((await send('POST', '/graphql/persisted', body)).body).toEqual(stored.body);
    expect((await send('GET', '/graphql/persisted')).body).toEqual(stored.body);

    const answer = { data: { project: { id: test.project.id } } };
    const variables = { with: false };
    expect((await send('POST', '/graphql', { documentId, variables })).body).toMatchObject(answer);
    expect((await send('GET', path({ documentId }))).body).toMatchObject(answer);
    const batch = [{ documentId }, { query: '{ project { id } }' }];
    expect((await send('POST', '/graphql', batch)).body).toMatchObject([answer, answer]);
    const apollo = { extensions: { persistedQuery: { version: 1, sha256Hash: hash } } };
    expect((await send('POST', '/graphql', apollo)).body).toMatchObject(answer);

    expect((await send('DELETE', `/graphql/persisted/${documentId}`)).status).toBe(204);
    expect(refusal(await send('POST', '/graphql', { documentId }))).toEqual([404, 'RESOURCE_NOT_FOUND']);
    expect((await send('DELETE', `/graphql/persisted/${documentId}`)).status).toBe(404);
  });

  it.each(['sha256:nonsense', `sha256:${'0'.repeat(64)}`])('the unknown id "%s" is 404', async (id) => {
    expect(refusal(await send('POST', '/graphql', { documentId: id }))).toEqual([404, 'RESOURCE_NOT_FOUND']);
  });

  it('of another project are unknown', async () => {
    await strict.withKey(strict.project.secretKey)('POST', '/graphql/persisted', { documents: [document] });
    expect(refusal(await send('GET', path({ documentId })))).toEqual([404, 'RESOURCE_NOT_FOUND']);
  });

  it('have the limits of every document', async () => {
    const deep = `{ ${'email { '.repeat(20)}id${' }'.repeat(21)}`;
    const { body } = await send('POST', '/graphql/persisted', { documents: [deep] });
    expect(refusal(await send('POST', '/graphql', { documentId: body[0].id }))).toEqual([
      400,
      'QUERY_TOO_COMPLEX',
    ]);
  });

  it('a key of scope `read` runs them and cannot store any', async () => {
    const owner = await test.withSession();
    const made = await owner('POST', `/users/@me/projects/${test.project.id}/keys`, {
      name: 'Report',
      scope: 'read',
    });
    const reading = test.withKey(made.body.key);
    await send('POST', '/graphql/persisted', { documents: [document] });
    expect((await reading('POST', '/graphql', { documentId })).body.data.project.id).toBe(test.project.id);
    expect((await reading('POST', '/graphql/persisted', { documents: ['{ x }'] })).status).toBe(403);
  });

  it('are the only ones that run with GRAPHQL_PERSISTED_ONLY', async () => {
    const own = strict.withKey(strict.project.secretKey);
    await own('POST', '/graphql/persisted', { documents: [document] });
    expect((await own('POST', '/graphql', { documentId })).status).toBe(200);
    for (const query of [document, '{ __schema { queryType { name } } }']) {
      expect(refusal(await own('POST', '/graphql', { query }))).toEqual([403, 'FORBIDDEN']);
      expect(refusal(await own('GET', path({ query })))).toEqual([403, 'FORBIDDEN']);
    }
    expect(refusal(await own('POST', '/graphql', [{ documentId }, { query: document }]))).toEqual([
      403,
      'FORBIDDEN',
    ]);
  });
});
