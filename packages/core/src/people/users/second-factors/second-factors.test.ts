import { TOTP } from 'otpauth';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Context } from '../../../base/kernel/index.ts';
import { newId } from '../../../base/lib/index.ts';
import { createTestServices, type TestServices } from '../../../testing/index.ts';
import { pendingMailSent, platformMailTo } from '../../../testing/mail.ts';
import {
  addAuthenticatorApp,
  changePassword,
  confirmAuthenticatorApp,
  finishLogin,
  getSecondFactors,
  issueSession,
  login,
  removeSecondFactors,
  renewRecoveryCodes,
  requestPasswordReset,
  resetPassword,
  resolveSession,
  signup,
} from '../index.ts';

let test: TestServices;
let anonymous: Context;
beforeAll(async () => {
  test = await createTestServices();
  anonymous = {
    services: test.services,
    actor: { type: 'anonymous' },
    project: null,
    request: { id: newId(), ip: null },
    db: test.services.database.prisma,
  };
});
afterAll(() => test.close());

// The codes depend on the time, so each test decides when it is.
let now = Date.now();
beforeEach(() => {
  vi.spyOn(Date, 'now').mockImplementation(() => now);
});

const password = 'correct horse';
const codeOf = (secret: string, at = now): string => new TOTP({ secret }).generate({ timestamp: at });
const laterBy = (seconds: number): void => {
  now += seconds * 1000;
};

async function contextOf(token: string): Promise<Context> {
  const session = await resolveSession(test.services, token);
  if (!session) throw new Error('the session has ended');
  const { id: sessionId, userId } = session;
  // The clock of these tests is ahead of that of the database.
  await test.services.database.prisma.session.update({
    where: { id: sessionId },
    data: { createdAt: new Date(now) },
  });
  const actor = {
    type: 'user',
    userId,
    sessionId,
    emailVerified: true,
    projectId: null,
    role: null,
  } as const;
  return { ...anonymous, actor };
}

async function account() {
  const { id, email } = await signup.run(anonymous, { email: `${newId()}@people.test`, password });
  return { id, email, ctx: await contextOf(await issueSession(test.services, { id })) };
}

/** An account with an authenticator app, 30 seconds after it was turned on. */
async function protectedAccount() {
  const made = await account();
  const { secret } = await addAuthenticatorApp.run(made.ctx, {});
  const { recoveryCodes } = await confirmAuthenticatorApp.run(made.ctx, { code: codeOf(secret) });
  laterBy(30);
  return { ...made, secret, recoveryCodes };
}

async function tokenOf(email: string): Promise<string> {
  const outcome = await login.run(anonymous, { email, password });
  if (!('secondFactor' in outcome)) throw new Error('the login asked for no second factor');
  return outcome.secondFactor.token;
}

const refused = { code: 'INVALID_CREDENTIALS' };

describe('turning it on', () => {
  it('returns the secret as text, link and image, and asks for it only after a code has confirmed it', async () => {
    const { id, email, ctx } = await account();
    const enrolment = await addAuthenticatorApp.run(ctx, {});
    expect(enrolment.secret).toMatch(/^[A-Z2-7]{32}$/);
    expect(enrolment.uri).toContain(`secret=${enrolment.secret}`);
    expect(enrolment.qrCode).toMatch(/^data:image\/svg\+xml;base64,/);
    expect(await login.run(anonymous, { email, password })).toEqual({ id, email });
    await expect(confirmAuthenticatorApp.run(ctx, { code: '000000' })).rejects.toMatchObject(refused);
    expect(await getSecondFactors.run(ctx, {})).toEqual({
      authenticatorApp: null,
      passkeys: [],
      recoveryCodesLeft: 0,
      needsPassword: false,
    });

    const { recoveryCodes } = await confirmAuthenticatorApp.run(ctx, { code: codeOf(enrolment.secret) });
    expect(new Set(recoveryCodes).size).toBe(10);
    expect(await getSecondFactors.run(ctx, {})).toEqual({
      authenticatorApp: { addedAt: expect.any(String) },
      passkeys: [],
      recoveryCodesLeft: 10,
      needsPassword: false,
    });
    await expect(addAuthenticatorApp.run(ctx, {})).rejects.toMatchObject({ code: 'CONFLICT' });
  });

  it('takes the password in a session of more than 10 minutes: a stolen one must not lock the owner out', async () => {
    const { id, ctx } = await account();
    laterBy(10 * 60 + 5);
    expect(await getSecondFactors.run(ctx, {})).toMatchObject({ needsPassword: true });
    for (const given of [{}, { password: 'wrong' }])
      await expect(addAuthenticatorApp.run(ctx, given)).rejects.toMatchObject(refused);
    expect(await addAuthenticatorApp.run(ctx, { password })).toMatchObject({ secret: expect.any(String) });
    await test.services.database.prisma.user.update({ where: { id }, data: { passwordHash: null } });
    await expect(addAuthenticatorApp.run(ctx, { password })).rejects.toMatchObject(refused);
  });

  it('429: after 10 wrong passwords', async () => {
    const { ctx } = await account();
    laterBy(10 * 60 + 5);
    for (let attempt = 0; attempt < 10; attempt += 1)
      await expect(addAuthenticatorApp.run(ctx, { password: `wrong ${attempt}` })).rejects.toMatchObject(
        refused,
      );
    await expect(addAuthenticatorApp.run(ctx, { password })).rejects.toMatchObject({
      code: 'RATE_LIMIT_EXCEEDED',
    });
  });

  it('stores neither the secret nor a recovery code readably', async () => {
    const { id, secret, recoveryCodes } = await protectedAccount();
    const app = await test.services.database.prisma.authenticatorApp.findUniqueOrThrow({
      where: { userId: id },
    });
    expect(app.secretCipher).not.toContain(secret);
    const codes = await test.services.database.prisma.recoveryCode.findMany({ where: { userId: id } });
    const stored = codes.map(({ codeHash }) => Buffer.from(codeHash).toString('latin1')).join();
    for (const code of recoveryCodes) expect(stored).not.toContain(code);
  });

  it('400 BAD_REQUEST: nothing to confirm', async () => {
    const { ctx } = await account();
    await expect(confirmAuthenticatorApp.run(ctx, { code: '123456' })).rejects.toMatchObject({
      code: 'BAD_REQUEST',
    });
  });
});

describe('logging in', () => {
  it('asks for the second factor after the right password only, and completes with a code', async () => {
    const { id, email, secret } = await protectedAccount();
    await expect(login.run(anonymous, { email, password: 'wrong' })).rejects.toMatchObject(refused);
    const token = await tokenOf(email);
    expect(await finishLogin.run(anonymous, { token, code: codeOf(secret) })).toEqual({ id, email });
  });

  it('accepts no code twice, and none that is older than an accepted one', async () => {
    const { email, secret } = await protectedAccount();
    const token = await tokenOf(email);
    const [older, code] = [codeOf(secret, now - 30_000), codeOf(secret)];
    await finishLogin.run(anonymous, { token, code });
    await expect(finishLogin.run(anonymous, { token, code })).rejects.toMatchObject(refused);
    await expect(finishLogin.run(anonymous, { token, code: older })).rejects.toMatchObject(refused);
  });

  it('accepts one of several concurrent logins with the same code', async () => {
    const { email, secret } = await protectedAccount();
    const token = await tokenOf(email);
    const code = codeOf(secret);
    const attempts = await Promise.allSettled(
      Array.from({ length: 4 }, () => finishLogin.run(anonymous, { token, code })),
    );
    expect(attempts.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  });

  it('accepts each recovery code once, in any spelling', async () => {
    const { id, email, ctx, recoveryCodes } = await protectedAccount();
    const code = ` ${(recoveryCodes[0] ?? '').toUpperCase().replaceAll('-', '')} `;
    const token = await tokenOf(email);
    expect(await finishLogin.run(anonymous, { token, code })).toEqual({ id, email });
    await expect(finishLogin.run(anonymous, { token, code })).rejects.toMatchObject(refused);
    expect(await getSecondFactors.run(ctx, {})).toMatchObject({ recoveryCodesLeft: 9 });
  });

  it('accepts no code of another account', async () => {
    const [mine, other] = [await protectedAccount(), await protectedAccount()];
    const token = await tokenOf(mine.email);
    for (const code of [codeOf(other.secret), other.recoveryCodes[0] ?? ''])
      await expect(finishLogin.run(anonymous, { token, code })).rejects.toMatchObject(refused);
  });

  it('accepts no token that has expired, was changed, or is older than the password', async () => {
    const { email, ctx, secret } = await protectedAccount();
    const token = await tokenOf(email);
    const attempt = (given: string) => finishLogin.run(anonymous, { token: given, code: codeOf(secret) });
    await expect(attempt(`${token.slice(0, -2)}AA`)).rejects.toMatchObject(refused);
    await expect(attempt('')).rejects.toMatchObject(refused);
    laterBy(5 * 60 + 1);
    await expect(attempt(token)).rejects.toMatchObject(refused);
    const before = await tokenOf(email);
    await changePassword.run(ctx, { currentPassword: password, newPassword: 'another horse' });
    await expect(attempt(before)).rejects.toMatchObject(refused);
  });

  it('429 RATE_LIMIT_EXCEEDED: after 10 wrong codes, for the right one too', async () => {
    const { email, secret } = await protectedAccount();
    const token = await tokenOf(email);
    for (let guess = 0; guess < 10; guess += 1)
      await expect(finishLogin.run(anonymous, { token, code: '000000' })).rejects.toMatchObject(refused);
    await expect(finishLogin.run(anonymous, { token, code: codeOf(secret) })).rejects.toMatchObject({
      code: 'RATE_LIMIT_EXCEEDED',
    });
  });
});

describe('with a code', () => {
  it('the recovery codes are renewed: the former ones no longer work', async () => {
    const { email, ctx, secret, recoveryCodes } = await protectedAccount();
    await expect(renewRecoveryCodes.run(ctx, { code: '000000' })).rejects.toMatchObject(refused);
    const renewed = await renewRecoveryCodes.run(ctx, { code: codeOf(secret) });
    const token = await tokenOf(email);
    const attempt = (code = '') => finishLogin.run(anonymous, { token, code });
    await expect(attempt(recoveryCodes[0])).rejects.toMatchObject(refused);
    expect(await attempt(renewed.recoveryCodes[0])).toMatchObject({ email });
  });

  it('the second factor is removed; a session alone is not enough', async () => {
    const { id, email, ctx, secret } = await protectedAccount();
    await expect(removeSecondFactors.run(ctx, { code: '000000' })).rejects.toMatchObject(refused);
    expect(await login.run(anonymous, { email, password })).toHaveProperty('secondFactor');
    await removeSecondFactors.run(ctx, { code: codeOf(secret) });
    expect(await login.run(anonymous, { email, password })).toEqual({ id, email });
  });
});

describe('a password reset by mail', () => {
  async function reset(email: string) {
    await requestPasswordReset.run(anonymous, { email });
    await pendingMailSent(test.services);
    const token = (await platformMailTo(test.services, email)).at(-1)?.token ?? '';
    await resetPassword.run(anonymous, { token, password });
    return login.run(anonymous, { email, password });
  }

  it('keeps the second factor of a proven account', async () => {
    const { id, email } = await protectedAccount();
    await test.services.database.prisma.user.update({ where: { id }, data: { emailVerified: true } });
    expect(await reset(email)).toHaveProperty('secondFactor');
  });

  it('removes that of an account whose address was never proven, so that its creator cannot lock out the owner', async () => {
    const { id, email } = await protectedAccount();
    expect(await reset(email)).toEqual({ id, email });
  });
});
