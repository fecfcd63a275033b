import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startApp, type TestApp } from './harness.ts';

let test: TestApp;
beforeAll(async () => {
  test = await startApp();
});
afterAll(() => test.close());

let people = 0;
const credentials = () => {
  people += 1;
  return { email: `person${people}@example.com`, password: 'correct horse' };
};

const cookieOf = (header: unknown): string => String(header).split(';')[0] ?? '';

describe('/auth/sessions', () => {
  async function signedUp(userAgent: string) {
    const person = credentials();
    const { headers } = await test.anyone('POST', '/auth/signup', person, { 'user-agent': userAgent });
    return { person, cookie: cookieOf(headers['set-cookie']) };
  }
  const asBrowser = (cookie: string) => ({ cookie, 'sec-fetch-site': 'same-origin' });

  it('lists where the account is signed in, and ends a session', async () => {
    const { person, cookie } = await signedUp('First/1.0');
    const login = await test.anyone('POST', '/auth/login', person, { 'user-agent': 'Second/1.0' });
    const second = cookieOf(login.headers['set-cookie']);
    const { status, body } = await test.anyone('GET', '/auth/sessions', undefined, { cookie });
    expect(status).toBe(200);
    expect(body).toHaveLength(2);
    const other = body.find(({ current }: { current: boolean }) => !current);
    expect(other).toMatchObject({ userAgent: 'Second/1.0', ip: '127.0.0.1' });
    const end = () => test.anyone('DELETE', `/auth/sessions/${other.id}`, undefined, asBrowser(cookie));
    expect((await end()).status).toBe(204);
    expect((await end()).status).toBe(404);
    expect((await test.anyone('GET', '/users/@me', undefined, { cookie: second })).status).toBe(401);
  });

  it('ends all others', async () => {
    const { person, cookie } = await signedUp('First/1.0');
    const login = await test.anyone('POST', '/auth/login', person);
    const second = cookieOf(login.headers['set-cookie']);
    const { status } = await test.anyone('DELETE', '/auth/sessions', undefined, asBrowser(cookie));
    expect(status).toBe(204);
    expect((await test.anyone('GET', '/users/@me', undefined, { cookie })).status).toBe(200);
    expect((await test.anyone('GET', '/users/@me', undefined, { cookie: second })).status).toBe(401);
  });

  it('are ended by logout: the cookie of a copy stops working', async () => {
    const { cookie } = await signedUp('First/1.0');
    expect((await test.anyone('GET', '/auth/logout', undefined, { cookie })).status).toBe(200);
    expect((await test.anyone('GET', '/users/@me', undefined, { cookie })).status).toBe(401);
  });
});

describe('DELETE /users/@me', () => {
  it('204: deletes the account and clears its cookie; by REST and tRPC', async () => {
    for (const [method, path] of [
      ['DELETE', '/users/@me'],
      ['POST', '/trpc/users.deleteMe'],
    ] as const) {
      const person = credentials();
      const { headers } = await test.anyone('POST', '/auth/signup', person);
      const cookie = cookieOf(headers['set-cookie']);
      const asBrowser = { cookie, 'sec-fetch-site': 'same-origin' };
      const wrong = await test.anyone(method, path, { currentPassword: 'wrong' }, asBrowser);
      expect(wrong.status).toBe(401);
      expect(wrong.headers['set-cookie']).toBeUndefined();
      const right = await test.anyone(method, path, { currentPassword: person.password }, asBrowser);
      expect(right.status).toBe(method === 'DELETE' ? 204 : 200);
      expect(right.headers['set-cookie']).toContain('Max-Age=0');
      expect((await test.anyone('GET', '/users/@me', undefined, { cookie })).status).toBe(401);
    }
  });
});
