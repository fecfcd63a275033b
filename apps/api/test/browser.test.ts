import { sessionCookie } from '@postrider/core/people/users';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { codeOf, startApp, type TestApp } from './harness.ts';

/** Sessions, requests of other sites, and CORS (behaviour B5.2, B5.3). */
const dashboard = 'https://app.postrider.example';
const api = 'https://api.postrider.example';
const elsewhere = 'https://elsewhere.example';

let test: TestApp;
beforeAll(async () => {
  test = await startApp({ API_URL: api, DASHBOARD_URL: `${dashboard}/`, VERIFY_SIGNUP_EMAIL: 'true' });
});
afterAll(() => test.close());

let people = 0;
const credentials = () => {
  people += 1;
  return { email: `person${people}@example.com`, password: 'correct horse' };
};

const cookieOf = (header: unknown): string => String(header).split(';')[0] ?? '';

describe('the session cookie', () => {
  it('is set by sign-up and login, hidden from scripts, Secure over https, for 7 days', async () => {
    const person = credentials();
    for (const path of ['/auth/signup', '/auth/login', '/trpc/auth.login']) {
      const { status, headers } = await test.anyone('POST', path, person);
      expect([200, 201]).toContain(status);
      expect(headers['set-cookie']).toMatch(
        new RegExp(`^${sessionCookie}=[\\w-]+; Path=/; Max-Age=604800; HttpOnly; SameSite=Lax; Secure$`),
      );
    }
  });

  it('is not set by a login that fails', async () => {
    const { status, headers } = await test.anyone('POST', '/auth/login', {
      email: 'a@example.com',
      password: 'wrong',
    });
    expect([status, headers['set-cookie']]).toEqual([401, undefined]);
    expect(headers['www-authenticate']).toBe('Bearer');
  });

  it('is cleared by logout, with or without a session', async () => {
    const { status, body, headers } = await test.anyone('GET', '/auth/logout');
    expect([status, body]).toEqual([200, { success: true }]);
    expect(headers['set-cookie']).toMatch(new RegExp(`^${sessionCookie}=; Path=/; Max-Age=0;`));
  });

  it('is renewed by a change of the password, which ends all other sessions', async () => {
    await test.services.database.prisma.user.updateMany({ data: { emailVerified: true } });
    const headers = await test.sessionHeaders('ADMIN');
    const { email, password } = credentials();
    const { headers: signedUp } = await test.anyone('POST', '/auth/signup', { email, password });
    await test.services.database.prisma.user.updateMany({ where: { email }, data: { emailVerified: true } });
    const cookie = cookieOf(signedUp['set-cookie']);
    const sameOrigin = { cookie, 'sec-fetch-site': 'same-origin' };
    const change = { currentPassword: password, newPassword: 'battery staple' };
    const answer = await test.anyone('POST', '/users/@me/change-password', change, sameOrigin);
    expect([answer.status, answer.body]).toEqual([200, { success: true }]);
    expect((await test.anyone('GET', '/users/@me', undefined, { cookie })).status).toBe(401);
    const renewed = cookieOf(answer.headers['set-cookie']);
    expect((await test.anyone('GET', '/users/@me', undefined, { cookie: renewed })).status).toBe(200);
    expect(headers['cookie']).not.toBe(renewed);
  });
});

describe('403 EMAIL_VERIFICATION_REQUIRED', () => {
  it('everywhere but in /auth/* and GET /users/@me', async () => {
    const { headers } = await test.anyone('POST', '/auth/signup', credentials());
    const cookie = cookieOf(headers['set-cookie']);
    const me = await test.anyone('GET', '/users/@me', undefined, { cookie });
    expect([me.status, me.body.emailVerified]).toEqual([200, false]);
    for (const path of ['/users/@me/projects', '/contacts', '/trpc/projects.list']) {
      const answer = await test.anyone('GET', path, undefined, { cookie });
      expect([path, answer.status, codeOf(answer)]).toEqual([path, 403, 'EMAIL_VERIFICATION_REQUIRED']);
    }
  });
});

describe('403 FORBIDDEN for requests of other sites', () => {
  const requests = [
    ['POST', '/contacts', { email: 'x@example.com' }],
    ['POST', '/trpc/contacts.upsert', { email: 'x@example.com' }],
    ['POST', '/auth/login', { email: 'x@example.com', password: 'wrong' }],
  ] as const;

  it.each(requests)('%s %s with a cookie and the origin of another site', async (method, url, payload) => {
    const { 'sec-fetch-site': _site, ...headers } = await test.sessionHeaders();
    for (const origin of [
      { origin: elsewhere },
      { origin: 'null' },
      { 'sec-fetch-site': 'cross-site' },
      {},
    ]) {
      const answer = await test.anyone(method, url, payload, {
        ...headers,
        ...(origin as Record<string, string>),
      });
      expect([origin, answer.status, codeOf(answer)]).toEqual([origin, 403, 'FORBIDDEN']);
    }
  });

  it.each(requests)('not %s %s from the api or the dashboard', async (method, url, payload) => {
    const { 'sec-fetch-site': _site, ...headers } = await test.sessionHeaders();
    for (const [name, value] of [
      ['origin', api],
      ['origin', dashboard],
      ['sec-fetch-site', 'same-origin'],
    ] as const) {
      const answer = await test.anyone(method, url, payload, { ...headers, [name]: value });
      expect([200, 201, 401]).toContain(answer.status);
    }
  });

  it('not a login by a script without cookie and origin, but one with the origin of another site', async () => {
    const person = credentials();
    expect((await test.anyone('POST', '/auth/signup', person)).status).toBe(201);
    const answer = await test.anyone('POST', '/auth/login', person, { origin: elsewhere });
    expect([answer.status, codeOf(answer)]).toEqual([403, 'FORBIDDEN']);
  });

  it('not GET requests', async () => {
    const headers = await test.sessionHeaders();
    const answer = await test.anyone('GET', '/contacts', undefined, {
      ...headers,
      'sec-fetch-site': 'cross-site',
    });
    expect(answer.status).toBe(200);
  });
});

describe('CORS', () => {
  const tracing = ['baggage', 'sentry-trace', 'traceparent', 'tracestate'];
  const preflight = {
    'access-control-request-method': 'POST',
    'access-control-request-headers': 'authorization',
  };

  it('/v1/* is open to every origin, without credentials', async () => {
    const { status, headers } = await test.anyone('OPTIONS', '/v1/track', undefined, {
      origin: elsewhere,
      ...preflight,
    });
    expect(status).toBe(204);
    expect(headers).toMatchObject({
      'access-control-allow-origin': '*',
      'access-control-allow-methods': 'POST, OPTIONS',
    });
    expect(headers['access-control-allow-headers']?.toString().split(', ')).toEqual([
      'Authorization',
      'Content-Type',
      'Dry-Run',
      'Idempotency-Key',
      'X-Request-Id',
      ...tracing,
    ]);
    expect(headers['access-control-allow-credentials']).toBeUndefined();
    const refused = await test.anyone('POST', '/v1/track', {}, { origin: elsewhere });
    expect(refused.headers['access-control-allow-origin']).toBe('*');
    expect(refused.headers['access-control-expose-headers']).toBe(
      'Dry-Run, X-Request-Id, RateLimit-Limit, RateLimit-Remaining, RateLimit-Reset, Retry-After',
    );
  });

  it('a page whose requests are traced can still track: the headers of tracing libraries are allowed', async () => {
    const { headers } = await test.anyone('OPTIONS', '/v1/track', undefined, {
      origin: elsewhere,
      ...preflight,
      'access-control-request-headers': ['authorization', 'content-type', ...tracing].join(),
    });
    const allowed = String(headers['access-control-allow-headers']).toLowerCase().split(', ');
    expect(allowed).toEqual(expect.arrayContaining(['authorization', 'content-type', ...tracing]));
  });

  it.each(['/contacts', '/trpc/users.me', '/graphql', '/v1'])(
    '%s is open to the dashboard alone',
    async (url) => {
      const ours = await test.anyone('OPTIONS', url, undefined, { origin: dashboard, ...preflight });
      expect(ours.headers).toMatchObject({
        'access-control-allow-origin': dashboard,
        'access-control-allow-credentials': 'true',
        vary: 'Origin',
      });
      const theirs = await test.anyone('OPTIONS', url, undefined, { origin: elsewhere, ...preflight });
      expect(theirs.headers['access-control-allow-origin']).toBeUndefined();
      const refused = await test.anyone('GET', url, undefined, { origin: elsewhere });
      expect(refused.headers['access-control-allow-origin']).toBeUndefined();
    },
  );
});
