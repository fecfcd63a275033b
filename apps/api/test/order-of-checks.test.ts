import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { codeOf, startApp, type TestApp } from './harness.ts';

/**
 * Behaviour B1.1: unknown route → credential → project → rate limit → disabled → idempotency key → body → flat 400 →
 * validation → existence. Each request breaks at least two neighbouring rules; the reply is that of the earlier one.
 */
let test: TestApp;
beforeAll(async () => {
  test = await startApp({ RATE_LIMIT_PER_MINUTE: '1000' });
});
afterAll(() => test.close());

const malformed = { 'content-type': 'application/json' };
const badKey = { 'idempotency-key': 'not äscii' };

const setDisabled = (disabled: boolean) =>
  test.services.database.prisma.project.update({ where: { id: test.project.id }, data: { disabled } });

const setCount = (count: number) =>
  test.services.database.prisma.rateWindow.upsert({
    where: { projectId_keyType: { projectId: test.project.id, keyType: 'secret' } },
    create: { projectId: test.project.id, keyType: 'secret', windowStart: new Date(), count },
    update: { windowStart: new Date(), count },
  });

describe('404 before 401', () => {
  it.each([
    ['GET', '/nothing-here'],
    ['PUT', '/contacts'],
    ['POST', '/v1/nothing'],
    ['GET', '/v1/send'],
    ['GET', `/contacts/${'a'.repeat(4_100)}`],
  ])('%s %s without a credential', async (method, url) => {
    const answer = await test.anyone(method, url);
    expect([answer.status, codeOf(answer), answer.body.error.message]).toEqual([
      404,
      'RESOURCE_NOT_FOUND',
      'Unknown route',
    ]);
  });
});

describe('404 before the body', () => {
  it.each(['POST', 'PUT', 'PATCH', 'DELETE', 'QUERY', 'PROPFIND', 'TRACE'])(
    '%s of an unknown route',
    async (method) => {
      for (const url of ['/nothing-here', '/config', '/contacts/', '/contacts//', '/segments//members']) {
        for (const headers of [malformed, { 'content-type': 'text/plain' }, {}]) {
          const answer = await test.anyone(method, url, '{', headers);
          expect([answer.status, codeOf(answer), answer.body.error.message]).toEqual([
            404,
            'RESOURCE_NOT_FOUND',
            'Unknown route',
          ]);
        }
      }
    },
  );

  it.each(['/contacts/', '/emails/', '/contacts/fields/', '/v1/', '/config/'])('GET %s', async (url) => {
    const answer = await test.withKey(test.project.secretKey)('GET', url);
    expect([answer.status, codeOf(answer)]).toEqual([404, 'RESOURCE_NOT_FOUND']);
  });
});

describe('401 before the body', () => {
  it.each(['{', 'x'.repeat(6_000_000)])('a bad body without a credential', async (payload) => {
    const answer = await test.anyone('POST', '/contacts', payload, malformed);
    expect([answer.status, codeOf(answer)]).toEqual([401, 'MISSING_AUTH']);
  });
});

describe('403 for the project before the body', () => {
  it('another project and a bad body', async () => {
    const send = await test.withSession();
    const answer = await send('POST', '/contacts', '{', { ...malformed, 'x-project-id': 'no-uuid' });
    expect([answer.status, codeOf(answer)]).toEqual([403, 'PROJECT_ACCESS_DENIED']);
  });

  it('too low a role and a bad body', async () => {
    const send = await test.withSession('MEMBER');
    const answer = await send('POST', '/domains', '{', malformed);
    expect([answer.status, codeOf(answer)]).toEqual([403, 'FORBIDDEN']);
  });
});

describe('429 before 403 PROJECT_DISABLED', () => {
  it('a disabled project that has used up its requests', async () => {
    await setDisabled(true);
    await setCount(1000);
    const answer = await test.withKey(test.project.secretKey)('POST', '/contacts', {});
    expect([answer.status, codeOf(answer)]).toEqual([429, 'RATE_LIMIT_EXCEEDED']);
    await setCount(0);
    await setDisabled(false);
  });
});

describe('403 PROJECT_DISABLED', () => {
  beforeAll(() => setDisabled(true));
  afterAll(() => setDisabled(false));

  it('before a bad Idempotency-Key', async () => {
    const answer = await test.withKey(test.project.secretKey)('POST', '/v1/send', {}, badKey);
    expect([answer.status, codeOf(answer)]).toEqual([403, 'PROJECT_DISABLED']);
  });

  it('before a body that cannot be read', async () => {
    const answer = await test.withKey(test.project.secretKey)('POST', '/contacts', '{', malformed);
    expect([answer.status, codeOf(answer)]).toEqual([403, 'PROJECT_DISABLED']);
  });

  it('on /v1/verify, a query by POST', async () => {
    const answer = await test.withKey(test.project.secretKey)('POST', '/v1/verify', {
      email: 'a@example.com',
    });
    expect([answer.status, codeOf(answer)]).toEqual([403, 'PROJECT_DISABLED']);
  });

  it('not for queries, through any door', async () => {
    const send = test.withKey(test.project.secretKey);
    expect((await send('GET', '/contacts')).status).toBe(200);
    expect((await send('POST', '/graphql', { query: '{ contacts { totalCount } }' })).body).toMatchObject({
      data: { contacts: { totalCount: 0 } },
    });
    const session = await test.withSession();
    expect((await session('GET', '/trpc/contacts.list')).status).toBe(200);
  });

  it('on a mutation through GraphQL and tRPC', async () => {
    const query = 'mutation { upsertContact(input: { email: "a@example.com" }) { isNew } }';
    const graphql = await test.withKey(test.project.secretKey)('POST', '/graphql', { query });
    expect(codeOf(graphql)).toBe('PROJECT_DISABLED');
    const session = await test.withSession();
    const trpc = await session('POST', '/trpc/contacts.upsert', { email: 'a@example.com' });
    expect([trpc.status, codeOf(trpc)]).toEqual([403, 'PROJECT_DISABLED']);
  });
});

describe('the Idempotency-Key before the body', () => {
  it('400 for an invalid key', async () => {
    const answer = await test.withKey(test.project.secretKey)('POST', '/v1/send', '{', {
      ...malformed,
      ...badKey,
    });
    expect([answer.status, codeOf(answer)]).toEqual([400, 'BAD_REQUEST']);
  });

  it('409 for a used key', async () => {
    await test.services.database.prisma.idempotencyKey.create({
      data: {
        projectId: test.project.id,
        key: 'used',
        request: 'POST /v1/send',
        statusCode: 200,
        createdAt: new Date(Date.now() - 1000),
      },
    });
    const used = { ...malformed, 'idempotency-key': 'used' };
    for (const send of [test.withKey(test.project.secretKey), await test.withSession()]) {
      const answer = await send('POST', '/v1/send', '{', used);
      expect([answer.status, codeOf(answer)]).toEqual([409, 'IDEMPOTENCY_KEY_REUSED']);
      expect(answer.body.error.details).toEqual({
        key: 'used',
        originalRequest: 'POST /v1/send',
        originalRequestAt: expect.stringMatching(/^\d{4}-.*Z$/),
        originalStatusCode: 200,
        originalDigest: null,
      });
    }
  });
});

describe('the body before flat 400 and 422', () => {
  it('400 INVALID_REQUEST_BODY for malformed JSON', async () => {
    const answer = await test.withKey(test.project.secretKey)('POST', '/contacts', '{"email"', malformed);
    expect([answer.status, codeOf(answer)]).toEqual([400, 'INVALID_REQUEST_BODY']);
  });
});

describe('flat 400 before 422', () => {
  it('a missing email and a bad subscribed', async () => {
    const answer = await test.withKey(test.project.secretKey)('POST', '/contacts', { subscribed: 'maybe' });
    expect([answer.status, answer.body]).toEqual([400, { error: 'email is required' }]);
  });
});

describe('422 before 404', () => {
  it('a path id that is not a UUID', async () => {
    const answer = await test.withKey(test.project.secretKey)('GET', '/contacts/nonsense');
    expect([answer.status, codeOf(answer), answer.body.error.errors[0].field]).toEqual([
      422,
      'VALIDATION_ERROR',
      'id',
    ]);
  });
});
