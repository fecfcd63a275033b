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
