import { randomBytes } from 'node:crypto';
import { issueSession, sessionCookie } from '@postrider/core/people/users';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { codeOf, startApp, type TestApp } from './harness.ts';

let test: TestApp;
beforeAll(async () => {
  test = await startApp();
});
afterAll(() => test.close());

const event = { email: 'ada@example.com', event: 'signup' };

describe('401', () => {
  const unknownKey = `sk_${randomBytes(32).toString('hex')}`;

  it.each([
    ['no credential', {}],
    ['an empty Authorization header', { authorization: '' }],
    ['an empty session cookie', { cookie: 'postrider_session=' }],
    ['another cookie only', { cookie: 'theme=dark' }],
  ])('MISSING_AUTH: %s', async (_what, headers) => {
    const answer = await test.anyone('GET', '/contacts', undefined, headers);
    expect([answer.status, codeOf(answer)]).toEqual([401, 'MISSING_AUTH']);
    expect(answer.headers['www-authenticate']).toBe('Bearer');
  });

  it.each([
    ['another scheme', 'Basic c2tfOng='],
    ['no key behind the scheme', 'Bearer'],
    ['a malformed key', 'Bearer sk_short'],
    ['an unknown key', `Bearer ${unknownKey}`],
  ])('INVALID_API_KEY: %s', async (_what, authorization) => {
    const answer = await test.anyone('GET', '/contacts', undefined, { authorization });
    expect([answer.status, codeOf(answer)]).toEqual([401, 'INVALID_API_KEY']);
    expect(answer.headers['www-authenticate']).toBe('Bearer');
    expect(answer.headers['ratelimit-limit']).toBeUndefined();
  });

  it.each([
    ['GET', '/contacts'],
    ['POST', '/v1/send'],
    ['GET', '/users/@me'],
    ['POST', '/users/@me/projects'],
    ['POST', '/graphql'],
  ])('INVALID_API_KEY: a public key on %s %s says that a secret key is needed', async (method, url) => {
    const answer = await test.withKey(test.project.publicKey)(method, url);
    expect([answer.status, codeOf(answer)]).toEqual([401, 'INVALID_API_KEY']);
    expect(answer.text).toContain('secret key');
  });

  it('INVALID_API_KEY: a secret key on /v1/track, with a message that asks for a public key', async () => {
    const answer = await test.withKey(test.project.secretKey)('POST', '/v1/track', event);
    expect([answer.status, codeOf(answer)]).toEqual([401, 'INVALID_API_KEY']);
    expect(answer.text).toContain('public key');
  });

  it('MISSING_AUTH: a session on /v1/track', async () => {
    const send = await test.withSession();
    const answer = await send('POST', '/v1/track', event);
    expect([answer.status, codeOf(answer)]).toEqual([401, 'MISSING_AUTH']);
  });

  it.each(['/users/@me', '/users/@me/projects', '/users/@me/projects/:id/security', '/trpc/users.me'])(
    'UNAUTHORIZED: a secret key on %s, which is for sessions',
    async (path) => {
      const url = path.replace(':id', test.project.id);
      const answer = await test.withKey(test.project.secretKey)('GET', url);
      expect([answer.status, codeOf(answer)]).toEqual([401, 'UNAUTHORIZED']);
      expect(answer.headers['ratelimit-limit']).toBeUndefined();
    },
  );

  it('UNAUTHORIZED: a forged session cookie', async () => {
    const answer = await test.anyone('GET', '/users/@me', undefined, { cookie: `${sessionCookie}=forged` });
    expect([answer.status, codeOf(answer)]).toEqual([401, 'UNAUTHORIZED']);
  });

  it('UNAUTHORIZED: a session that was revoked', async () => {
    const { ownerId } = test.project;
    const cookie = `${sessionCookie}=${await issueSession(test.services, { id: ownerId })}`;
    expect((await test.anyone('GET', '/users/@me', undefined, { cookie })).status).toBe(200);
    await test.services.database.prisma.session.deleteMany({ where: { userId: ownerId } });
    const answer = await test.anyone('GET', '/users/@me', undefined, { cookie });
    expect([answer.status, codeOf(answer)]).toEqual([401, 'UNAUTHORIZED']);
  });
});

describe('400', () => {
  it('BAD_REQUEST: a session request that names no project', async () => {
    const send = await test.withSession();
    const answer = await send('GET', '/contacts', undefined, { 'x-project-id': '' });
    expect([answer.status, codeOf(answer)]).toEqual([400, 'BAD_REQUEST']);
  });
});

describe('403', () => {
  it.each(['not-a-uuid', '01a1fbbb-6049-7208-955a-65aac1f35b72'])(
    'PROJECT_ACCESS_DENIED: a session request for the project %s',
    async (id) => {
      const send = await test.withSession();
      const answer = await send('GET', '/contacts', undefined, { 'x-project-id': id });
      expect([answer.status, codeOf(answer)]).toEqual([403, 'PROJECT_ACCESS_DENIED']);
    },
  );

  it('PROJECT_ACCESS_DENIED: a key and the path of another project', async () => {
    const send = test.withKey(test.project.secretKey);
    const answer = await send('GET', '/domains/project/01a1fbbb-6049-7208-955a-65aac1f35b72');
    expect([answer.status, codeOf(answer)]).toEqual([403, 'PROJECT_ACCESS_DENIED']);
  });

  it('FORBIDDEN: a member changes the settings of the project', async () => {
    const send = await test.withSession('MEMBER');
    const answer = await send('PATCH', `/users/@me/projects/${test.project.id}`, { name: 'Mine' });
    expect([answer.status, codeOf(answer)]).toEqual([403, 'FORBIDDEN']);
  });

  it('FORBIDDEN: a member adds a domain', async () => {
    const send = await test.withSession('MEMBER');
    const answer = await send('POST', '/domains', { domain: 'example.com' });
    expect([answer.status, codeOf(answer)]).toEqual([403, 'FORBIDDEN']);
  });
});

describe('200', () => {
  it.each(['Bearer', 'bearer', 'BEARER'])('the scheme may be written %s', async (scheme) => {
    const authorization = `${scheme} ${test.project.secretKey}`;
    expect((await test.anyone('GET', '/contacts', undefined, { authorization })).status).toBe(200);
  });

  it('with both a key and a cookie the key is used, whatever the origin and the project header', async () => {
    const headers = await test.sessionHeaders();
    const answer = await test.withKey(test.project.secretKey)(
      'POST',
      '/contacts',
      { email: 'both@example.com' },
      {
        ...headers,
        origin: 'https://elsewhere.example',
        'sec-fetch-site': 'cross-site',
        'x-project-id': 'nonsense',
      },
    );
    expect(answer.status).toBe(201);
    expect(answer.headers['ratelimit-limit']).toBe('1000');
  });

  it('the domains of a project named in the path need no X-Project-Id', async () => {
    const { 'x-project-id': _project, ...headers } = await test.sessionHeaders('MEMBER');
    const answer = await test.anyone('GET', `/domains/project/${test.project.id}`, undefined, headers);
    expect([answer.status, answer.body]).toEqual([200, []]);
  });
});
