import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Context } from '../../base/kernel/index.ts';
import { newId } from '../../base/lib/index.ts';
import { createTestProject, createTestServices, type TestServices } from '../../testing/index.ts';
import { platformMailTo } from '../../testing/mail.ts';
import { totpCode } from '../../testing/totp.ts';
import { listAudit } from '../audit/index.ts';
import {
  addAuthenticatorApp,
  confirmAuthenticatorApp,
  deleteMe,
  issueSession,
  login,
  requestDeletion,
  requestPasswordReset,
  resolveSession,
  signup,
} from './index.ts';
import { signInByProvider } from './providers/sign-in-by-provider.ts';

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

const password = 'correct horse';
const as = (userId: string): Context => ({
  ...anonymous,
  actor: { type: 'user', userId, emailVerified: true, projectId: null, role: null },
});
const prisma = () => test.services.database.prisma;

async function account({ proven = true } = {}): Promise<{ id: string; email: string; ctx: Context }> {
  const { id, email } = await signup.run(anonymous, { email: `${newId()}@people.test`, password });
  if (proven) await prisma().user.update({ where: { id }, data: { emailVerified: true } });
  return { id, email, ctx: as(id) };
}

/** An account that a provider signs in to, and that has no password. */
async function withoutPassword(
  email = `${newId()}@people.test`,
): Promise<{ id: string; email: string; ctx: Context }> {
  const outcome = await signInByProvider.run(
    { ...anonymous, actor: { type: 'system', projectId: null } },
    { provider: 'github', issuer: 'https://github.com', subject: newId(), verifiedEmail: email },
  );
  if (!('id' in outcome)) throw new Error('an account is wanted');
  return { id: outcome.id, email, ctx: as(outcome.id) };
}

const codeOf = (attempt: Promise<unknown>): Promise<unknown> =>
  attempt.then(
    () => null,
    (error: { code?: string }) => error.code ?? error,
  );

/** Every text of every table in which an address could be left. */
async function rowsWith(address: string): Promise<string[]> {
  const { durable } = test.services.database;
  const { rows: columns } = await durable.query<{ table: string; column: string }>(`
    SELECT c.table_name AS "table", c.column_name AS "column" FROM information_schema.columns c
    JOIN information_schema.tables t USING (table_schema, table_name)
    WHERE c.table_schema = 'public' AND t.table_type = 'BASE TABLE' AND c.data_type IN ('text', 'jsonb', 'ARRAY')`);
  const found: string[] = [];
  for (const { table, column } of columns) {
    const { rows } = await durable.query(
      `SELECT 1 FROM "${table}" WHERE "${column}"::text LIKE '%' || $1 || '%' LIMIT 1`,
      [address],
    );
    if (rows.length > 0) found.push(`${table}.${column}`);
  }
  return found.toSorted();
}

describe('deleteMe', () => {
  it('removes the user and everything that has the address, and the address can sign up again', async () => {
    const { id, email, ctx } = await account();
    const session = await issueSession(test.services, { id });
    await codeOf(login.run(anonymous, { email, password: 'wrong' }));
    await requestPasswordReset.run(anonymous, { email });
    await platformMailTo(test.services, email);
    await prisma().pendingMail.create({ data: { id: newId(), kind: 'PASSWORD_RESET', email } });
    expect(await rowsWith(email)).toEqual(['Email.to', 'PendingMail.email', 'User.email']);

    expect(await deleteMe.run(ctx, { currentPassword: password })).toEqual({});

    expect(await rowsWith(email)).toEqual([]);
    expect(await rowsWith(id)).toEqual(['AuditLog.actorId', 'AuditLog.targetId']);
    expect(await resolveSession(test.services, session)).toBeNull();
    expect(await codeOf(login.run(anonymous, { email, password }))).toBe('INVALID_CREDENTIALS');
    expect(await signup.run(anonymous, { email, password })).toMatchObject({ email });
  });

  it('leaves the projects of others, with an entry in their audit logs that names nobody', async () => {
    const project = await createTestProject(test.services);
    const { id, ctx } = await account();
    await prisma().member.create({ data: { projectId: project.id, userId: id, role: 'ADMIN' } });
    await deleteMe.run(ctx, { currentPassword: password });
    expect(await prisma().member.count({ where: { userId: id } })).toBe(0);
    const { data } = await listAudit.run(project.ctx, {});
    expect(data[0]).toMatchObject({
      operation: 'users.deleteMe',
      actor: { type: 'user', id, label: 'Deleted user' },
      targetId: id,
    });
  });

  it('409 with details.projects: while the user owns one that is not deleted', async () => {
    const { id, ctx } = await account();
    const project = await createTestProject(test.services, { name: 'Shop' });
    await prisma().member.updateMany({ where: { projectId: project.id }, data: { userId: id } });
    await expect(deleteMe.run(ctx, { currentPassword: password })).rejects.toMatchObject({
      code: 'CONFLICT',
      details: { projects: [{ id: project.id, name: 'Shop' }] },
    });
    await prisma().project.update({ where: { id: project.id }, data: { deletedAt: new Date() } });
    expect(await deleteMe.run(ctx, { currentPassword: password })).toEqual({});
  });

  it('401: for a wrong password, which counts like a failed login; 429 after ten', async () => {
    const { ctx } = await account();
    for (let attempt = 0; attempt < 10; attempt += 1)
      expect(await codeOf(deleteMe.run(ctx, { currentPassword: 'wrong' }))).toBe('INVALID_CREDENTIALS');
    expect(await codeOf(deleteMe.run(ctx, { currentPassword: password }))).toBe('RATE_LIMIT_EXCEEDED');
  });

  it('422: names what the account has and the request lacks', async () => {
    const { ctx } = await account();
    await expect(deleteMe.run(ctx, {})).rejects.toMatchObject({
      code: 'VALIDATION_ERROR',
      errors: [{ field: 'currentPassword', code: 'required' }],
    });
    const { ctx: signedInByProvider } = await withoutPassword();
    await expect(deleteMe.run(signedInByProvider, { currentPassword: password })).rejects.toMatchObject({
      code: 'VALIDATION_ERROR',
      errors: [{ field: 'token', code: 'required' }],
    });
  });

  it('asks for the second factor too', async () => {
    const { id, ctx } = await account();
    const { secret } = await addAuthenticatorApp.run(ctx, { password });
    const { recoveryCodes } = await confirmAuthenticatorApp.run(ctx, { code: totpCode(secret) });
    await expect(deleteMe.run(ctx, { currentPassword: password })).rejects.toMatchObject({
      code: 'VALIDATION_ERROR',
      errors: [{ field: 'code', code: 'required' }],
    });
    expect(await codeOf(deleteMe.run(ctx, { currentPassword: password, code: '000000' }))).toBe(
      'INVALID_CREDENTIALS',
    );
    const code = recoveryCodes[0] ?? '';
    expect(await deleteMe.run(ctx, { currentPassword: password, code })).toEqual({});
    expect(await prisma().authenticatorApp.count({ where: { userId: id } })).toBe(0);
  });

  it('deletes an account without a password by the link in an email, once, and in its own session only', async () => {
    const { email, ctx } = await withoutPassword();
    expect(await requestDeletion.run(ctx, {})).toEqual({ success: true });
    const [mail] = await platformMailTo(test.services, email);
    expect(mail).toMatchObject({ subject: 'Delete your Postrider account' });
    const token = mail?.token ?? '';
    expect(mail?.body).toContain(`${test.services.config.DASHBOARD_URL}/account/delete?token=${token}`);
    const { ctx: other } = await withoutPassword();
    expect(await codeOf(deleteMe.run(other, { token }))).toBe('INVALID_CREDENTIALS');
    expect(await codeOf(deleteMe.run(ctx, { token: 'f'.repeat(64) }))).toBe('INVALID_CREDENTIALS');
    expect(await codeOf(deleteMe.run(ctx, { token: 'no token' }))).toBe('INVALID_CREDENTIALS');
    expect(await deleteMe.run(ctx, { token })).toEqual({});
    expect(await rowsWith(email)).toEqual([]);
    expect(await codeOf(deleteMe.run(ctx, { token }))).toBe('UNAUTHORIZED');
  });

  it('refuses a link after an hour', async () => {
    const { id, email, ctx } = await withoutPassword();
    await requestDeletion.run(ctx, {});
    const [mail] = await platformMailTo(test.services, email);
    await prisma().authToken.updateMany({ where: { userId: id }, data: { expiresAt: new Date() } });
    expect(await codeOf(deleteMe.run(ctx, { token: mail?.token ?? '' }))).toBe('INVALID_CREDENTIALS');
  });

  it('one of many requests at once deletes it', async () => {
    const { ctx } = await account();
    const attempts = await Promise.all(
      Array.from({ length: 5 }, () => codeOf(deleteMe.run(ctx, { currentPassword: password }))),
    );
    expect(attempts.toSorted()).toEqual([...Array.from({ length: 4 }, () => 'UNAUTHORIZED'), null]);
  });

  it('does not begin anew with what the sandbox sends to an address that nobody has proven', async () => {
    const { id, ctx } = await account({ proven: false });
    const today = new Date(new Date().toISOString().slice(0, 10));
    await prisma().sandboxSlot.create({ data: { userId: id, day: today, n: 1, emailId: newId() } });
    expect(await codeOf(deleteMe.run(ctx, { currentPassword: password }))).toBe(
      'EMAIL_VERIFICATION_REQUIRED',
    );
    await prisma().sandboxSlot.updateMany({
      where: { userId: id },
      data: { day: new Date(today.getTime() - 86_400_000) },
    });
    expect(await deleteMe.run(ctx, { currentPassword: password })).toEqual({});
  });

  it('does not undo that the reader of an address has disowned its account', async () => {
    const { id, ctx } = await account({ proven: false });
    await prisma().user.update({ where: { id }, data: { disownedAt: new Date() } });
    expect(await codeOf(deleteMe.run(ctx, { currentPassword: password }))).toBe(
      'EMAIL_VERIFICATION_REQUIRED',
    );
  });
});

describe('requestDeletion', () => {
  it('400: for an account with a password', async () => {
    const { ctx } = await account();
    expect(await codeOf(requestDeletion.run(ctx, {}))).toBe('BAD_REQUEST');
  });

  it('429: above three emails in an hour, also after the account was deleted and created again', async () => {
    const { email, ctx } = await withoutPassword();
    for (let sent = 0; sent < 3; sent += 1) await requestDeletion.run(ctx, {});
    expect(await codeOf(requestDeletion.run(ctx, {}))).toBe('RATE_LIMIT_EXCEEDED');
    const mail = (await platformMailTo(test.services, email)).at(-1);
    await deleteMe.run(ctx, { token: mail?.token ?? '' });
    const again = await withoutPassword(email);
    expect(await codeOf(requestDeletion.run(again.ctx, {}))).toBe('RATE_LIMIT_EXCEEDED');
  });
});
