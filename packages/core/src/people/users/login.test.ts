import { randomBytes, scryptSync } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Context, sha256 } from '../../base/kernel/index.ts';
import { newId } from '../../base/lib/index.ts';
import {
  createTestProject,
  createTestServices,
  createTestUser,
  type TestServices,
} from '../../testing/index.ts';
import { addressKey, issueSession, login, resolveSession, signup } from './index.ts';

let test: TestServices;
let context: Context;
beforeAll(async () => {
  test = await createTestServices();
  context = {
    services: test.services,
    actor: { type: 'anonymous' },
    project: null,
    request: { id: newId(), ip: null },
    db: test.services.database.prisma,
  };
});
afterAll(() => test.close());

const password = 'correct horse';
async function account() {
  const email = `${newId()}@people.test`;
  return signup.run(context, { email, password });
}

it('422: a password of more than 4,096 characters is refused before it is looked at', async () => {
  const { email } = await account();
  const long = 'x'.repeat(4097);
  await expect(login.run(context, { email, password: long })).rejects.toMatchObject({
    code: 'VALIDATION_ERROR',
  });
  const longest = login.run(context, { email, password: 'x'.repeat(4096) });
  await expect(longest).rejects.toMatchObject({ code: 'INVALID_CREDENTIALS' });
});

describe('200', () => {
  it('returns the account, for any case of the address', async () => {
    const made = await account();
    expect(await login.run(context, { email: made.email.toUpperCase(), password })).toEqual(made);
  });

  it('treats composed and decomposed characters as the same password', async () => {
    const email = `${newId()}@people.test`;
    await signup.run(context, { email, password: 'caf\u00e9 au lait' });
    expect(await login.run(context, { email, password: 'cafe\u0301 au lait' })).toMatchObject({ email });
  });

  it('joins the project of an invitation', async () => {
    const made = await account();
    const project = await createTestProject(test.services);
    const token = randomBytes(32).toString('hex');
    await test.services.database.prisma.invitation.create({
      data: {
        id: newId(),
        projectId: project.id,
        email: made.email,
        role: 'MEMBER',
        tokenHash: Uint8Array.from(sha256(token)),
        expiresAt: new Date(Date.now() + 60_000),
      },
    });
    await login.run(context, { email: made.email, password, invitation: token });
    const member = await test.services.database.prisma.member.findMany({ where: { userId: made.id } });
    expect(member).toEqual([expect.objectContaining({ projectId: project.id, role: 'MEMBER' })]);
  });
});

describe('a hash of an older version', () => {
  it('is replaced at the next login, which ends no session', async () => {
    const made = await account();
    const salt = Buffer.alloc(16, 7);
    const hash = scryptSync(password, salt, 32, { N: 2 ** 15, r: 8, p: 1, maxmem: 2 ** 26 });
    const { prisma } = test.services.database;
    await prisma.user.update({
      where: { id: made.id },
      data: { passwordHash: `scrypt$15$8$1$${salt.toString('base64url')}$${hash.toString('base64url')}` },
    });
    const session = await issueSession(test.services, made);
    expect(await login.run(context, { email: made.email, password })).toEqual(made);
    const { passwordHash } = await prisma.user.findUniqueOrThrow({ where: { id: made.id } });
    expect(passwordHash).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
    expect(await login.run(context, { email: made.email, password })).toEqual(made);
    expect(await resolveSession(test.services, session)).toMatchObject({ userId: made.id });
  });
});

describe('401 INVALID_CREDENTIALS', () => {
  const refusal = { code: 'INVALID_CREDENTIALS', message: 'The email address or the password is wrong' };

  it('with one text for a wrong password, an unknown address and an account without a password', async () => {
    const { email } = await account();
    const withoutPassword = `${newId()}@people.test`;
    await createTestUser(test.services, withoutPassword);
    for (const attempt of [
      { email, password: 'wrong' },
      { email, password: `${password} ` },
      { email: 'unknown@people.test', password },
      { email: withoutPassword, password },
    ]) {
      await expect(login.run(context, attempt)).rejects.toMatchObject(refusal);
    }
  });
});

describe('422 VALIDATION_ERROR', () => {
  it.each([
    [{}, ['email', 'password']],
    [{ email: 'nobody', password }, ['email']],
    [{ email: 'a@example.com', password: '' }, ['password']],
  ])('%j', async (input, fields) => {
    const errors = fields.map((field) => expect.objectContaining({ field }));
    await expect(login.runRaw(context, input)).rejects.toMatchObject({ code: 'VALIDATION_ERROR', errors });
  });
});

describe('429 RATE_LIMIT_EXCEEDED', () => {
  it('after 10 failures of an account, for the right password and for unknown addresses too', async () => {
    for (const email of [(await account()).email, `${newId()}@people.test`]) {
      for (let failure = 0; failure < 10; failure += 1) {
        await expect(login.run(context, { email, password: 'wrong' })).rejects.toMatchObject({
          code: 'INVALID_CREDENTIALS',
        });
      }
      await expect(login.run(context, { email, password })).rejects.toMatchObject({
        code: 'RATE_LIMIT_EXCEEDED',
        details: { retryAfter: expect.any(Number) },
      });
    }
  });

  it('cannot be bypassed by concurrent guesses', async () => {
    const { email } = await account();
    const guesses = await Promise.allSettled(
      Array.from({ length: 15 }, () => login.run(context, { email, password: 'wrong' })),
    );
    const codes = guesses.map((guess) => (guess.status === 'rejected' ? guess.reason.code : 'in'));
    expect(codes.filter((code) => code === 'INVALID_CREDENTIALS')).toHaveLength(10);
    expect(codes.filter((code) => code === 'RATE_LIMIT_EXCEEDED')).toHaveLength(5);
  });

  it('that strangers cause does not concern a network with an open session of the account, whose own guesses are bounded', async () => {
    const { id, email } = await account();
    const from = (ip: string): Context => ({ ...context, request: { id: newId(), ip } });
    const codeOf = (ip: string, given: string) =>
      login.run(from(ip), { email, password: given }).then(
        () => 'in',
        ({ code }) => code,
      );
    await issueSession(test.services, { id }, { ip: '2001:db8:1:2::1', userAgent: null });
    for (let n = 0; n < 10; n += 1)
      expect(await codeOf(`198.51.100.${n}`, 'wrong')).toBe('INVALID_CREDENTIALS');
    expect(await codeOf('198.51.100.99', password)).toBe('RATE_LIMIT_EXCEEDED');
    const home = '2001:db8:1:2::77';
    expect(await codeOf(home, password)).toBe('in');
    // The other limit, of requests per minute and client, is not what this is about.
    const anotherMinute = () =>
      test.services.database.prisma.authAttempt.deleteMany({ where: { key: { startsWith: 'client:2001' } } });
    for (let n = 0; n < 10; n += 1) {
      await anotherMinute();
      expect(await codeOf(home, 'wrong')).toBe('INVALID_CREDENTIALS');
    }
    await anotherMinute();
    expect(await codeOf(home, password)).toBe('RATE_LIMIT_EXCEEDED');
  });

  it('does not count logins that succeed, and ends after 15 minutes', async () => {
    const { email } = await account();
    for (let failure = 0; failure < 9; failure += 1) {
      await expect(login.run(context, { email, password: 'wrong' })).rejects.toThrow();
    }
    for (let success = 0; success < 3; success += 1) await login.run(context, { email, password });
    await expect(login.run(context, { email, password: 'wrong' })).rejects.toMatchObject({
      code: 'INVALID_CREDENTIALS',
    });
    await expect(login.run(context, { email, password })).rejects.toMatchObject({
      code: 'RATE_LIMIT_EXCEEDED',
    });
    await test.services.database.durable.query(
      `UPDATE "AuthAttempt" SET "windowStart" = "windowStart" - interval '15 min' WHERE "key" = $1`,
      [`account:${addressKey(email)}`],
    );
    expect(await login.run(context, { email, password })).toMatchObject({ email });
  });
});
