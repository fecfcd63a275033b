import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Database } from '../../base/db/index.ts';
import {
  AppError,
  type Context,
  keyHash,
  newKey,
  type Services,
  systemContext,
} from '../../base/kernel/index.ts';
import { newId } from '../../base/lib/index.ts';
import { createTestProject, createTestServices, type TestServices } from '../../testing/index.ts';
import { pendingMailSent, platformMailTo } from '../../testing/mail.ts';
import { createKey } from '../keys/index.ts';
import { resolveKey } from '../projects/index.ts';
import {
  issueSession,
  login,
  requestPasswordReset,
  requestVerification,
  resetPassword,
  resolveSession,
  sendPendingMail,
  signup,
  verifyEmail,
} from './index.ts';
import { signInByProvider } from './providers/sign-in-by-provider.ts';

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
  await pendingMailSent(services);
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

    expect(await verifyEmail.run(as(id), { token })).toEqual({ id, email, emailVerified: true });

    expect((await user(id)).emailVerified).toBe(true);
    await expect(verifyEmail.run(as(id), { token })).rejects.toMatchObject({ code: 'BAD_REQUEST' });
  });

  it('is written in the language of the account', async () => {
    const { id, email } = await account();
    await services.database.prisma.user.update({ where: { id }, data: { language: 'pl' } });
    await requestVerification.run(anonymous(), { email });
    await pendingMailSent(services);
    await requestPasswordReset.run(anonymous(), { email });
    await pendingMailSent(services);
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
    expect(await verifyEmail.run(as(id), { token: second })).toMatchObject({ id });
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

  it('403: for somebody with neither a session of the account nor its password, and the link stays usable', async () => {
    const { id, email } = await account();
    const other = await account();
    const token = await lastToken(email);
    for (const ctx of [anonymous(), as(other.id)]) {
      await expect(verifyEmail.run(ctx, { token })).rejects.toMatchObject({
        code: 'FORBIDDEN',
        details: { needs: ['session', 'password', 'newPassword'] },
      });
    }
    await expect(verifyEmail.run(anonymous(), { token, password: 'wrong' })).rejects.toMatchObject({
      code: 'INVALID_CREDENTIALS',
    });
    expect((await user(id)).emailVerified).toBe(false);
    expect(await verifyEmail.run(anonymous(), { token, password: 'correct horse' })).toMatchObject({ id });
    expect((await user(id)).emailVerified).toBe(true);
  });

  it('429: after 10 wrong passwords, also for a login; the link stays usable in a session', async () => {
    const { id, email } = await account();
    const token = await lastToken(email);
    for (let attempt = 0; attempt < 10; attempt += 1) {
      await expect(
        verifyEmail.run(anonymous(), { token, password: `wrong ${attempt}` }),
      ).rejects.toMatchObject({
        code: 'INVALID_CREDENTIALS',
      });
    }
    const tooMany = { code: 'RATE_LIMIT_EXCEEDED' };
    await expect(verifyEmail.run(anonymous(), { token, password: 'correct horse' })).rejects.toMatchObject(
      tooMany,
    );
    await expect(login.run(anonymous(), { email, password: 'correct horse' })).rejects.toMatchObject(tooMany);
    expect(await verifyEmail.run(as(id), { token })).toMatchObject({ id });
  });

  it('422: a new password that is too short leaves the link usable', async () => {
    const { id, email } = await account();
    const token = await lastToken(email);
    await expect(verifyEmail.run(anonymous(), { token, newPassword: 'short' })).rejects.toMatchObject({
      code: 'VALIDATION_ERROR',
    });
    expect(await verifyEmail.run(anonymous(), { token, newPassword: 'battery staple' })).toMatchObject({
      id,
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
    await verifyEmail.run(as(id), { token: await lastToken(email) });
    const before = (await platformMailTo(services, email)).length;
    expect(await requestVerification.run(anonymous(), { email })).toEqual({ success: true });
    expect(await requestVerification.run(as(id), {})).toEqual({ success: true });
    await pendingMailSent(services);
    expect((await platformMailTo(services, email)).length).toBe(before);

    const nobody = `${newId()}@people.test`;
    expect(await requestVerification.run(anonymous(), { email: nobody })).toEqual({ success: true });
    await pendingMailSent(services);
    expect(await platformMailTo(services, nobody)).toEqual([]);
  });

  it('422: without a session and without an address', async () => {
    await expect(requestVerification.run(anonymous(), {})).rejects.toMatchObject({
      code: 'VALIDATION_ERROR',
      errors: [{ field: 'email', code: 'required' }],
    });
  });
});

describe('an account that a stranger made with the address of another person', () => {
  /** What the stranger has set up: sessions, a second factor, a linked sign-in, a project with its keys, a named and a rotated one. */
  async function hijacked() {
    const { id, email } = await account();
    const { prisma } = services.database;
    const session = await issueSession(services, { id });
    const project = await createTestProject(services);
    await prisma.member.updateMany({ where: { projectId: project.id }, data: { userId: id } });
    const named = await createKey.run(
      { ...as(id), actor: { ...as(id).actor, emailVerified: true } as Context['actor'] },
      { id: project.id, name: 'Left behind', scope: 'full' },
    );
    const rotated = newKey('secret', 'LIVE');
    await prisma.apiKey.create({
      data: {
        id: newId(),
        projectId: project.id,
        prefix: 'sk_',
        hash: keyHash(rotated),
        scope: 'full',
        expiresAt: new Date(Date.now() + 3_600_000),
      },
    });
    await prisma.authenticatorApp.create({
      data: { id: newId(), userId: id, secretCipher: 'x', confirmedAt: new Date() },
    });
    await prisma.recoveryCode.create({ data: { userId: id, codeHash: Uint8Array.from([1]) } });
    await prisma.identity.create({ data: { issuer: 'https://id.test', subject: id, userId: id } });
    const keys = [project.publicKey, project.secretKey, named.key, rotated];
    for (const key of keys) expect(await isAlive(key)).toBe(true);
    return { id, email, session, keys, projectId: project.id };
  }

  const isAlive = async (key: string): Promise<boolean> => {
    const accepted = key.startsWith('pk_') ? 'public' : 'secret';
    try {
      await resolveKey(services, key, { required: accepted, countRequest: false });
      return true;
    } catch (error) {
      if (error instanceof AppError && error.code === 'INVALID_API_KEY') return false;
      throw error;
    }
  };

  const takeOvers = {
    'the verification link': async (email: string) => {
      const token = await lastToken(email);
      await verifyEmail.run(anonymous(), { token, newPassword: 'battery staple' });
    },
    'a reset': async (email: string) => {
      await requestPasswordReset.run(anonymous(), { email });
      await resetPassword.run(anonymous(), { token: await lastToken(email), password: 'battery staple' });
    },
    'a sign-in provider': async (email: string) => {
      const identity = { provider: 'google', issuer: 'https://google.test', subject: newId() } as const;
      await signInByProvider.run(systemContext(services), { ...identity, verifiedEmail: email });
    },
  };

  it.each(Object.entries(takeOvers))('belongs to that person alone after %s', async (_, takeOver) => {
    const { id, email, session, keys, projectId } = await hijacked();
    await takeOver(email);
    const { prisma } = services.database;
    expect(await resolveSession(services, session)).toBeNull();
    for (const key of keys) expect(await isAlive(key)).toBe(false);
    expect(await prisma.apiKey.count({ where: { projectId } })).toBe(0);
    expect(await prisma.authenticatorApp.count({ where: { userId: id } })).toBe(0);
    expect(await prisma.recoveryCode.count({ where: { userId: id } })).toBe(0);
    expect(await prisma.identity.count({ where: { userId: id, issuer: 'https://id.test' } })).toBe(0);
    expect((await user(id)).emailVerified).toBe(true);
    await expect(login.run(anonymous(), { email, password: 'correct horse' })).rejects.toMatchObject({
      code: 'INVALID_CREDENTIALS',
    });
  });

  it('keeps the factors and keys of an account that was proven before, after a reset', async () => {
    const { id, email, session, keys } = await hijacked();
    await services.database.prisma.user.update({ where: { id }, data: { emailVerified: true } });
    await takeOvers['a reset'](email);
    expect(await resolveSession(services, session)).toBeNull();
    for (const key of keys) expect(await isAlive(key)).toBe(true);
    expect(await services.database.prisma.authenticatorApp.count({ where: { userId: id } })).toBe(1);
  });
});

/** A database that notes what is asked of it. */
const recording = (database: Database, done: string[]): Database => ({
  ...database,
  prisma: database.prisma.$extends({
    query: {
      $allModels: {
        $allOperations({ model, operation, args, query }) {
          done.push(`${model}.${operation}`);
          return query(args);
        },
      },
    },
  }) as unknown as Database['prisma'],
});

describe('requests for links', () => {
  it('store the same for every address before they are answered: known, unproven, unknown', async () => {
    const { prisma } = services.database;
    const [unproven, proven] = [await account(), await account()];
    await prisma.user.update({ where: { id: proven.id }, data: { emailVerified: true } });
    const emails = [unproven.email, proven.email, `${newId()}@people.test`];
    for (const operation of [requestPasswordReset, requestVerification]) {
      const changes = new Set<string>();
      for (const email of emails) {
        const done: string[] = [];
        const database = recording(services.database, done);
        const ctx = { ...anonymous(), services: { ...services, database }, db: database.prisma };
        expect(await operation.run(ctx, { email })).toEqual({ success: true });
        changes.add(done.join());
      }
      expect(changes).toEqual(new Set(['PendingMail.create,AuditLog.createMany']));
    }
    await pendingMailSent(services);
  });

  it('that a process took and did not live to handle are handled by the next one', async () => {
    const { email } = await account();
    const before = (await platformMailTo(services, email)).length;
    const left = ['PASSWORD_RESET', 'VERIFICATION'] as const;
    await services.database.prisma.pendingMail.createMany({
      data: left.map((kind) => ({ id: newId(), kind, email })),
    });
    // Several processes start at once.
    await Promise.all([sendPendingMail(services), sendPendingMail(services)]);
    await pendingMailSent(services);
    expect((await platformMailTo(services, email)).length).toBe(before + 2);
  });

  it('that fail stay, and hold up no others', async () => {
    const [first, second] = [await account(), await account()];
    const before = (await platformMailTo(services, second.email)).length;
    await services.database.prisma.pendingMail.createMany({
      data: [first, second].map(({ email }) => ({ id: newId(), kind: 'PASSWORD_RESET' as const, email })),
    });
    const broken: Services = {
      ...services,
      platformMail: {
        ...services.platformMail,
        write: (db, mail) =>
          mail.to.email === first.email
            ? Promise.reject(new Error('no'))
            : services.platformMail.write(db, mail),
      },
    };
    expect(await sendPendingMail(broken)).toBe(1);
    expect(await services.database.prisma.pendingMail.findMany()).toMatchObject([{ email: first.email }]);
    expect(await sendPendingMail(services)).toBe(1);
    expect((await platformMailTo(services, second.email)).length).toBe(before + 1);
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
    await pendingMailSent(services);
    expect(await platformMailTo(services, email)).toEqual([]);
  });

  it('200: sends at most 3 links an hour', async () => {
    const { email } = await account();
    const before = (await platformMailTo(services, email)).length;
    for (let request = 0; request < 5; request += 1) {
      expect(await requestPasswordReset.run(anonymous(), { email })).toEqual({ success: true });
    }
    await pendingMailSent(services);
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
