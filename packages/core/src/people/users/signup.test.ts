import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Context, type Services, sha256, systemContext } from '../../base/kernel/index.ts';
import { newId } from '../../base/lib/index.ts';
import {
  createTestProject,
  createTestServices,
  createTestUser,
  type TestServices,
} from '../../testing/index.ts';
import { findSetupLink, login, signup } from './index.ts';
import { signInByProvider } from './providers/sign-in-by-provider.ts';

let test: TestServices;
beforeAll(async () => {
  test = await createTestServices();
});
afterAll(() => test.close());

const anonymous = (services: Services = test.services, ip: string | null = null): Context => ({
  services,
  actor: { type: 'anonymous' },
  project: null,
  request: { id: newId(), ip },
  db: services.database.prisma,
});
const withEnv = (env: Partial<Services['config']>): Services => ({
  ...test.services,
  config: { ...test.services.config, ...env },
});
const fresh = () => `${newId()}@people.test`;

async function invite(email: string, { expiresInMs = 60_000, projectId = '' } = {}) {
  const project = projectId === '' ? (await createTestProject(test.services)).id : projectId;
  const token = randomBytes(32).toString('hex');
  await test.services.database.prisma.invitation.create({
    data: {
      id: newId(),
      projectId: project,
      email,
      role: 'ADMIN',
      tokenHash: Uint8Array.from(sha256(token)),
      expiresAt: new Date(Date.now() + expiresInMs),
    },
  });
  return { token, projectId: project };
}
const memberships = (userId: string) => test.services.database.prisma.member.findMany({ where: { userId } });

describe('201', () => {
  it('creates an account that can log in, under the normalized address', async () => {
    const email = fresh();
    const account = await signup.run(anonymous(), {
      email: ` ${email.toUpperCase()} `,
      password: 'correct horse',
    });
    expect(account).toEqual({ id: expect.any(String), email });
    expect(await login.run(anonymous(), { email, password: 'correct horse' })).toEqual(account);
  });

  it('stores no readable password, and does not count the address as proven', async () => {
    const { id } = await signup.run(anonymous(), { email: fresh(), password: 'correct horse' });
    const user = await test.services.database.prisma.user.findUniqueOrThrow({ where: { id } });
    expect(user.passwordHash).toMatch(/^\$argon2id\$/);
    expect(user.passwordHash).not.toContain('correct horse');
    expect(user).toMatchObject({ type: 'PASSWORD', emailVerified: false });
  });

  it('joins the project of a valid invitation, even when sign-ups are disabled, and verifies the address', async () => {
    const email = fresh();
    const { token, projectId } = await invite(email);
    const services = withEnv({ SIGNUPS_DISABLED: true, VERIFY_SIGNUP_EMAIL: true });
    const { id } = await signup.run(anonymous(services), {
      email,
      password: 'correct horse',
      invitation: token,
    });
    expect(await memberships(id)).toEqual([expect.objectContaining({ projectId, role: 'ADMIN' })]);
    expect(await test.services.database.prisma.user.findUniqueOrThrow({ where: { id } })).toMatchObject({
      emailVerified: true,
    });
    expect(await test.services.database.prisma.invitation.count({ where: { projectId } })).toBe(0);
    const audit = await test.services.database.prisma.auditLog.findMany({ where: { projectId } });
    expect(audit).toEqual([
      expect.objectContaining({ operation: 'auth.signup', targetType: 'member', targetId: id }),
    ]);
  });

  it('joins no project without the link', async () => {
    const email = fresh();
    await invite(email);
    const { id } = await signup.run(anonymous(), { email, password: 'correct horse', invitation: null });
    expect(await memberships(id)).toEqual([]);
  });
});

describe('400 BAD_REQUEST for a bad invitation, and no account', () => {
  it.each(['', 'nonsense', 'a'.repeat(64)])('token %j', async (invitation) => {
    const email = fresh();
    await expect(
      signup.run(anonymous(), { email, password: 'correct horse', invitation }),
    ).rejects.toMatchObject({
      code: 'BAD_REQUEST',
    });
    expect(await test.services.database.prisma.user.count({ where: { email } })).toBe(0);
  });

  it('an expired one', async () => {
    const email = fresh();
    const { token } = await invite(email, { expiresInMs: -1 });
    await expect(
      signup.run(anonymous(), { email, password: 'correct horse', invitation: token }),
    ).rejects.toMatchObject({ code: 'BAD_REQUEST' });
  });

  it('one that was used', async () => {
    const email = fresh();
    const { token } = await invite(email);
    const { id } = await signup.run(anonymous(), { email, password: 'correct horse', invitation: token });
    await test.services.database.prisma.user.delete({ where: { id } });
    await expect(
      signup.run(anonymous(), { email, password: 'correct horse', invitation: token }),
    ).rejects.toMatchObject({ code: 'BAD_REQUEST' });
  });
});

describe('the first sign-up of a closed installation', () => {
  it('takes the set-up token: without it none of many is accepted, with it only one', async () => {
    const first = await createTestServices({ env: { SIGNUPS_DISABLED: 'true' } });
    const { services } = first;
    const attempt = (setupToken?: string) =>
      signup.run(anonymous(services), { email: fresh(), password: 'correct horse', setupToken });
    const reasonsOf = (results: PromiseSettledResult<unknown>[]) =>
      results.flatMap((result) => (result.status === 'rejected' ? [result.reason] : []));

    const link = await findSetupLink(services);
    expect(link).toBe(`${services.config.DASHBOARD_URL}/auth/signup?setup=${services.secrets.setupToken}`);
    const wrong = ['', 'x', `${services.secrets.setupToken}x`, test.services.secrets.setupToken];
    const without = await Promise.allSettled(
      Array.from({ length: 20 }, (_, n) => attempt(n < wrong.length ? wrong[n] : undefined)),
    );
    const missing = expect.objectContaining({ code: 'FORBIDDEN', details: { setupToken: true } });
    expect(reasonsOf(without)).toEqual(Array(20).fill(missing));
    expect(await services.database.prisma.user.count()).toBe(0);

    const given = await Promise.allSettled(
      Array.from({ length: 20 }, () => attempt(services.secrets.setupToken)),
    );
    expect(given.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    const disabled = expect.objectContaining({ code: 'FORBIDDEN', message: 'Sign-ups are disabled' });
    expect(reasonsOf(given)).toEqual(Array(19).fill(disabled));
    expect(await services.database.prisma.user.count()).toBe(1);
    expect(await findSetupLink(services)).toBeNull();
    await first.close();
  });

  it('is not to be had by a sign-in provider', async () => {
    const first = await createTestServices({ env: { SIGNUPS_DISABLED: 'true' } });
    const identity = { provider: 'google', issuer: 'https://google.test', subject: '1' } as const;
    await expect(
      signInByProvider.run(systemContext(first.services), { ...identity, verifiedEmail: fresh() }),
    ).rejects.toMatchObject({ reason: 'signups_disabled' });
    expect(await first.services.database.prisma.user.count()).toBe(0);
    await first.close();
  });

  it('takes no token where sign-ups are open', async () => {
    const first = await createTestServices();
    expect(await findSetupLink(first.services)).toBeNull();
    expect(
      await signup.run(anonymous(first.services), { email: fresh(), password: 'correct horse' }),
    ).toMatchObject({
      id: expect.any(String),
    });
    await first.close();
  });
});

describe('403 FORBIDDEN', () => {
  it('while sign-ups are disabled', async () => {
    const services = withEnv({ SIGNUPS_DISABLED: true });
    await expect(
      signup.run(anonymous(services), { email: fresh(), password: 'correct horse' }),
    ).rejects.toMatchObject({
      code: 'FORBIDDEN',
    });
  });

  it('for an invitation to another address', async () => {
    const { token } = await invite(fresh());
    await expect(
      signup.run(anonymous(), { email: fresh(), password: 'correct horse', invitation: token }),
    ).rejects.toMatchObject({ code: 'FORBIDDEN' });
  });
});

describe('409 CONFLICT', () => {
  it('for an address that has an account, in any spelling', async () => {
    const email = fresh();
    await createTestUser(test.services, email);
    await expect(
      signup.run(anonymous(), { email: email.toUpperCase(), password: 'correct horse' }),
    ).rejects.toMatchObject({ code: 'CONFLICT' });
  });

  it('for all but one of several concurrent requests', async () => {
    const email = fresh();
    const attempts = await Promise.allSettled(
      Array.from({ length: 4 }, () => signup.run(anonymous(), { email, password: 'correct horse' })),
    );
    expect(attempts.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    const refused = attempts.filter((attempt) => attempt.status === 'rejected').map(({ reason }) => reason);
    expect(refused).toEqual(Array(3).fill(expect.objectContaining({ code: 'CONFLICT' })));
  });
});

describe('422 VALIDATION_ERROR', () => {
  it.each([
    [{ password: 'correct horse' }, 'email', 'required'],
    [{ email: 'nobody', password: 'correct horse' }, 'email', 'invalid_string'],
    [{ email: 'a@example.com' }, 'password', 'required'],
    [{ email: 'a@example.com', password: null }, 'password', 'required'],
    [{ email: 'a@example.com', password: '' }, 'password', 'required'],
    [{ email: 'a@example.com', password: '1234567' }, 'password', 'too_small'],
    [{ email: 'a@example.com', password: 'x'.repeat(129) }, 'password', 'too_big'],
    [{ email: 'a@example.com', password: 12345678 }, 'password', 'invalid_type'],
  ])('%j', async (input, field, code) => {
    await expect(signup.runRaw(anonymous(), input)).rejects.toMatchObject({
      code: 'VALIDATION_ERROR',
      errors: [expect.objectContaining({ field, code })],
    });
  });
});

describe('429 RATE_LIMIT_EXCEEDED', () => {
  it('from the eleventh request of a client address within a minute, login and sign-up together', async () => {
    const ip = '192.0.2.10';
    const taken = fresh();
    await createTestUser(test.services, taken);
    for (let request = 0; request < 10; request += 1) {
      const attempt = request % 2 === 0 ? signup : login;
      const code = request % 2 === 0 ? 'CONFLICT' : 'INVALID_CREDENTIALS';
      await expect(
        attempt.run(anonymous(test.services, ip), { email: taken, password: 'correct horse' }),
      ).rejects.toMatchObject({ code });
    }
    const next = () =>
      signup.run(anonymous(test.services, ip), { email: fresh(), password: 'correct horse' });
    await expect(next()).rejects.toMatchObject({
      code: 'RATE_LIMIT_EXCEEDED',
      details: { retryAfter: expect.any(Number) },
    });
    await test.services.database.durable.query(
      `UPDATE "AuthAttempt" SET "windowStart" = "windowStart" - interval '60 s' WHERE "key" = $1`,
      [`client:${ip}`],
    );
    expect(await next()).toMatchObject({ id: expect.any(String) });
  });
});
