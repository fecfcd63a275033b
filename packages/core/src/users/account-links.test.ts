import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Context, newId, type Services } from '../kernel/index.ts';
import { createTestServices, type TestServices } from '../testing/index.ts';
import { platformMailTo } from '../testing/mail.ts';
import {
  issueSession,
  login,
  requestPasswordReset,
  requestVerification,
  resetPassword,
  resolveSession,
  signup,
  verifyEmail,
} from './index.ts';

let test: TestServices;
let services: Services;
beforeAll(async () => {
  test = await createTestServices({ env: { VERIFY_SIGNUP_EMAIL: 'true' } });
  services = test.services;
});
afterAll(() => test.close());

const anonymous = (ip: string | null = null): Context => ({
  services,
  actor: { type: 'anonymous' },
  project: null,
  request: { id: newId(), ip },
  db: services.database.prisma,
});
const as = (userId: string): Context => ({
  ...anonymous(),
  actor: { type: 'user', userId, emailVerified: false, projectId: null, role: null },
});
const account = async () => {
  const email = `${newId()}@people.test`;
  return signup.run(anonymous(), { email, password: 'correct horse' });
};
const lastToken = async (email: string): Promise<string> => {
  const token = (await platformMailTo(services, email)).at(-1)?.token;
  if (!token) throw new Error(`no link was sent to ${email}`);
  return token;
};
const user = (id: string) => services.database.prisma.user.findUniqueOrThrow({ where: { id } });

describe('a verification link', () => {
  it('200: sent at sign-up, it verifies the address once', async () => {
    const { id, email } = await account();
    expect((await user(id)).emailVerified).toBe(false);
    const token = await lastToken(email);

    expect(await verifyEmail.run(anonymous(), { token })).toEqual({ id, email, emailVerified: true });

    expect((await user(id)).emailVerified).toBe(true);
    await expect(verifyEmail.run(anonymous(), { token })).rejects.toMatchObject({ code: 'BAD_REQUEST' });
  });

  it('is written in the language of the account', async () => {
    const { id, email } = await account();
    await services.database.prisma.user.update({ where: { id }, data: { language: 'pl' } });
    await requestVerification.run(anonymous(), { email });
    await requestPasswordReset.run(anonymous(), { email });
    const [, verification, reset] = await platformMailTo(services, email);
    for (const mail of [verification, reset]) expect(mail?.body).toContain('<html lang="pl"');
  });

  it('is replaced by a newer one', async () => {
    const { id, email } = await account();
    const first = await lastToken(email);
    await requestVerification.run(as(id), {});
    const second = await lastToken(email);

    expect(second).not.toBe(first);
    await expect(verifyEmail.run(anonymous(), { token: first })).rejects.toMatchObject({
      code: 'BAD_REQUEST',
    });
    expect(await verifyEmail.run(anonymous(), { token: second })).toMatchObject({ id });
  });

  it.each(['x', 'f'.repeat(64), 'F'.repeat(64)])('400 BAD_REQUEST: for the token %j', async (token) => {
    await expect(verifyEmail.run(anonymous(), { token })).rejects.toMatchObject({ code: 'BAD_REQUEST' });
  });

  it('400 BAD_REQUEST: after 24 hours', async () => {
    const { id, email } = await account();
    await services.database.prisma.authToken.updateMany({
      where: { userId: id },
      data: { expiresAt: new Date(Date.now() - 1) },
    });
    await expect(verifyEmail.run(anonymous(), { token: await lastToken(email) })).rejects.toMatchObject({
      code: 'BAD_REQUEST',
    });
  });

  it('stores no readable token', async () => {
    const { id, email } = await account();
    const token = await lastToken(email);
    const [row] = await services.database.prisma.authToken.findMany({ where: { userId: id } });
    expect(Buffer.from(row?.tokenHash ?? []).toString('hex')).not.toBe(token);
  });
});

describe('requestVerification', () => {
  it('429: above 3 an hour with a session', async () => {
    const { id } = await account();
    for (let request = 0; request < 3; request += 1) await requestVerification.run(as(id), {});
    await expect(requestVerification.run(as(id), {})).rejects.toMatchObject({ code: 'RATE_LIMIT_EXCEEDED' });
  });

  it('200: the same without an account, and for a verified address; nothing is sent', async () => {
    const { id, email } = await account();
    await verifyEmail.run(anonymous(), { token: await lastToken(email) });
    const before = (await platformMailTo(services, email)).length;
    expect(await requestVerification.run(anonymous(), { email })).toEqual({ success: true });
    expect(await requestVerification.run(as(id), {})).toEqual({ success: true });
    expect((await platformMailTo(services, email)).length).toBe(before);

    const nobody = `${newId()}@people.test`;
    expect(await requestVerification.run(anonymous(), { email: nobody })).toEqual({ success: true });
    expect(await platformMailTo(services, nobody)).toEqual([]);
  });

  it('422: without a session and without an address', async () => {
    await expect(requestVerification.run(anonymous(), {})).rejects.toMatchObject({
      code: 'VALIDATION_ERROR',
      errors: [{ field: 'email', code: 'required' }],
    });
  });
});

describe('a reset link', () => {
  it('200: sets the password, proves the address and ends every session', async () => {
    const { id, email } = await account();
    const session = await issueSession(services, { id });
    await requestPasswordReset.run(anonymous(), { email });
    const token = await lastToken(email);

    expect(await resetPassword.run(anonymous(), { token, password: 'battery staple' })).toEqual({
      success: true,
    });

    expect(await resolveSession(services, session)).toBeNull();
    expect(await login.run(anonymous(), { email, password: 'battery staple' })).toEqual({ id, email });
    expect((await user(id)).emailVerified).toBe(true);
    await expect(resetPassword.run(anonymous(), { token, password: 'battery staple' })).rejects.toMatchObject(
      { code: 'BAD_REQUEST' },
    );
  });

  it('used twice concurrently works once', async () => {
    const { email } = await account();
    await requestPasswordReset.run(anonymous(), { email });
    const token = await lastToken(email);
    const results = await Promise.allSettled(
      ['first password', 'second password'].map((password) =>
        resetPassword.run(anonymous(), { token, password }),
      ),
    );
    expect(results.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
  });

  it('400 BAD_REQUEST: a verification token is not a reset token', async () => {
    const { email } = await account();
    await expect(
      resetPassword.run(anonymous(), { token: await lastToken(email), password: 'battery staple' }),
    ).rejects.toMatchObject({ code: 'BAD_REQUEST' });
  });

  it('422: a new password that is too short leaves the link usable', async () => {
    const { email } = await account();
    await requestPasswordReset.run(anonymous(), { email });
    const token = await lastToken(email);
    await expect(resetPassword.run(anonymous(), { token, password: 'short' })).rejects.toMatchObject({
      code: 'VALIDATION_ERROR',
    });
    expect(await resetPassword.run(anonymous(), { token, password: 'battery staple' })).toEqual({
      success: true,
    });
  });
});

describe('requestPasswordReset', () => {
  it('200: the same for an unknown address, to which nothing is sent', async () => {
    const email = `${newId()}@people.test`;
    expect(await requestPasswordReset.run(anonymous(), { email })).toEqual({ success: true });
    expect(await platformMailTo(services, email)).toEqual([]);
  });

  it('200: sends at most 3 links an hour', async () => {
    const { email } = await account();
    const before = (await platformMailTo(services, email)).length;
    for (let request = 0; request < 5; request += 1) {
      expect(await requestPasswordReset.run(anonymous(), { email })).toEqual({ success: true });
    }
    expect((await platformMailTo(services, email)).length - before).toBe(3);
  });

  it('429: above 10 requests a minute of one client address', async () => {
    const ip = '192.0.2.77';
    for (let request = 0; request < 10; request += 1) {
      await requestPasswordReset.run(anonymous(ip), { email: `${newId()}@people.test` });
    }
    await expect(
      requestPasswordReset.run(anonymous(ip), { email: `${newId()}@people.test` }),
    ).rejects.toMatchObject({ code: 'RATE_LIMIT_EXCEEDED' });
  });
});
