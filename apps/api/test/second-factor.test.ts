import { createAuthenticator } from '@postrider/core/testing/authenticator.ts';
import { totpCode } from '@postrider/core/testing/totp.ts';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startApp, type TestApp } from './harness.ts';

let test: TestApp;
beforeAll(async () => {
  test = await startApp();
});
afterAll(() => test.close());

const person = { email: 'protected@example.com', password: 'correct horse' };
const sessionOf = (header: unknown): string | undefined =>
  /postrider_session=[^;]+/.exec(String(header ?? ''))?.[0];

it('a login with a second factor sets no cookie before the code', async () => {
  const { headers, body: user } = await test.anyone('POST', '/auth/signup', person);
  const browser = { cookie: sessionOf(headers['set-cookie']) ?? '', 'sec-fetch-site': 'same-origin' };
  const mine = '/auth/second-factors';
  const added = await test.anyone('POST', `${mine}/authenticator-app`, {}, browser);
  expect(added).toMatchObject({ status: 201, body: { secret: expect.any(String) } });
  const confirmed = await test.anyone(
    'POST',
    `${mine}/authenticator-app/confirm`,
    { code: totpCode(added.body.secret) },
    browser,
  );
  expect(confirmed).toMatchObject({ status: 200, body: { recoveryCodes: expect.any(Array) } });

  const login = await test.anyone('POST', '/auth/login', person);
  expect(login.status).toBe(200);
  expect(login.body).toEqual({ secondFactor: { token: expect.any(String), expiresAt: expect.any(String) } });
  expect(login.headers['set-cookie']).toBeUndefined();

  const { token } = login.body.secondFactor;
  const wrong = await test.anyone('POST', '/auth/second-factor', { token, code: '000000' });
  expect(wrong).toMatchObject({ status: 401, body: { error: { code: 'INVALID_CREDENTIALS' } } });
  expect(wrong.headers['set-cookie']).toBeUndefined();

  const [code] = confirmed.body.recoveryCodes;
  const done = await test.anyone('POST', '/auth/second-factor', { token, code });
  expect(done).toMatchObject({ status: 200, body: user });
  const cookie = sessionOf(done.headers['set-cookie']) ?? '';
  expect((await test.anyone('GET', mine, undefined, { cookie })).body).toMatchObject({
    recoveryCodesLeft: 9,
  });
});

it('a passkey completes a login, for the session that it was added in and the login that it was asked for', async () => {
  const credentials = { email: 'passkey@example.com', password: 'correct horse' };
  const { headers, body: user } = await test.anyone('POST', '/auth/signup', credentials);
  const browser = { cookie: sessionOf(headers['set-cookie']) ?? '', 'sec-fetch-site': 'same-origin' };
  const key = createAuthenticator(new URL(test.services.config.DASHBOARD_URL).origin);
  const mine = '/auth/second-factors';

  const started = await test.anyone('POST', `${mine}/passkeys/options`, {}, browser);
  expect(started).toMatchObject({ status: 200, body: { options: { attestation: 'none' } } });
  const credential = key.create(started.body.options.challenge);
  const other = await test.anyone('POST', '/auth/login', credentials);
  const otherSession = { ...browser, cookie: sessionOf(other.headers['set-cookie']) ?? '' };
  const passkeys = `${mine}/passkeys`;
  const stolen = await test.anyone('POST', passkeys, { name: 'Key', credential }, otherSession);
  expect(stolen).toMatchObject({ status: 400 });
  const added = await test.anyone('POST', passkeys, { name: 'Key', credential }, browser);
  expect(added).toMatchObject({ status: 201, body: { passkey: { name: 'Key', lastUsedAt: null } } });

  const login = await test.anyone('POST', '/auth/login', credentials);
  const { token } = login.body.secondFactor;
  const asked = await test.anyone('POST', '/auth/second-factor/challenge', { token });
  const passkey = key.get(asked.body.options.challenge);
  const done = await test.anyone('POST', '/auth/second-factor', { token, passkey });
  expect(done).toMatchObject({ status: 200, body: user });
  expect(sessionOf(done.headers['set-cookie'])).toBeDefined();
});
