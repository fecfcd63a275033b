import { afterEach, expect, it } from 'vitest';
import { startApp, type TestApp } from './harness.ts';

/** Which sign-in attempts are counted together (behaviour B4.16, B10). */
let test: TestApp;
afterEach(() => test.close());

/** The statuses of 11 logins, each with its value of `X-Forwarded-For`. */
async function logins(forwardedFor: (attempt: number) => string): Promise<number[]> {
  const statuses: number[] = [];
  for (let attempt = 0; attempt < 11; attempt += 1) {
    const credentials = { email: `${attempt}@example.com`, password: 'no such account' };
    const headers = { 'x-forwarded-for': forwardedFor(attempt) };
    statuses.push((await test.anyone('POST', '/auth/login', credentials, headers)).status);
  }
  return statuses;
}

const allowed = Array<number>(11).fill(401);
const lastRefused = [...allowed.slice(1), 429];

it('without TRUST_PROXY, a header does not evade the limit', async () => {
  test = await startApp();
  expect(await logins((attempt) => `203.0.113.${attempt}`)).toEqual(lastRefused);
});

it.each(['127.0.0.1', '127.0.0.0/8, ::1', '1'])(
  'with TRUST_PROXY=%s, each client behind the proxy has its own limit, and addresses that a client adds itself are ignored',
  async (trusted) => {
    test = await startApp({ TRUST_PROXY: trusted });
    expect(await logins((attempt) => `203.0.113.${attempt}`)).toEqual(allowed);
    expect(await logins((attempt) => `198.51.100.${attempt}, 203.0.113.77`)).toEqual(lastRefused);
  },
);

it('an IPv6 network of 64 bits is one client', async () => {
  test = await startApp({ TRUST_PROXY: '127.0.0.1' });
  expect(await logins((attempt) => `2001:db8:1:2::${attempt}`)).toEqual(lastRefused);
  expect(await logins((attempt) => `2001:db8:1:${attempt + 10}::1`)).toEqual(allowed);
});

it('a header from an untrusted address is ignored', async () => {
  test = await startApp({ TRUST_PROXY: '192.0.2.1' });
  expect(await logins((attempt) => `203.0.113.${attempt}`)).toEqual(lastRefused);
});
