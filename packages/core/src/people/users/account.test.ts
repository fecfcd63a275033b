import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Context } from '../../base/kernel/index.ts';
import { newId } from '../../base/lib/index.ts';
import {
  createTestProject,
  createTestServices,
  createTestUser,
  type TestServices,
} from '../../testing/index.ts';
import { changePassword, getMe, issueSession, login, resolveSession, signup, updateMe } from './index.ts';

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

const as = (userId: string, emailVerified = true): Context => ({
  ...anonymous,
  actor: { type: 'user', userId, emailVerified, projectId: null, role: null },
});
const account = () => signup.run(anonymous, { email: `${newId()}@people.test`, password: 'correct horse' });

describe('getMe', () => {
  it('200: the signed-in user', async () => {
    const { id, email } = await account();
    expect(await getMe.run(as(id), {})).toEqual({
      id,
      email,
      type: 'PASSWORD',
      hasPassword: true,
      emailVerified: false,
      language: 'en',
      createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
    });
  });

  it('200: for a user whose address is not verified', async () => {
    const { id } = await account();
    expect(await getMe.run(as(id, false), {})).toMatchObject({ id });
  });

  it('401 UNAUTHORIZED: with an API key', async () => {
    const project = await createTestProject(test.services);
    await expect(getMe.run(project.ctx, {})).rejects.toMatchObject({ code: 'UNAUTHORIZED' });
  });

  it('401 MISSING_AUTH: without a session', async () => {
    await expect(getMe.run(anonymous, {})).rejects.toMatchObject({ code: 'MISSING_AUTH' });
  });
});

describe('updateMe', () => {
  it('changes the language of emails to the user, which sign-up takes from the browser', async () => {
    const from = { ...anonymous, request: { ...anonymous.request, acceptLanguage: 'sv, de-AT;q=0.9' } };
    const { id } = await signup.run(from, { email: `${newId()}@people.test`, password: 'correct horse' });
    expect(await getMe.run(as(id), {})).toMatchObject({ language: 'de' });
    expect(await updateMe.run(as(id, false), { language: 'ja' })).toMatchObject({ id, language: 'ja' });
    expect(await updateMe.run(as(id), {})).toMatchObject({ language: 'ja' });
  });

  it('422: for a language that is not available', async () => {
    const { id } = await account();
    await expect(updateMe.run(as(id), { language: 'sv' as 'en' })).rejects.toMatchObject({
      code: 'VALIDATION_ERROR',
    });
  });
});

describe('changePassword', () => {
  it('200: the new password works, the old one does not, and every session ends', async () => {
    const { id, email } = await account();
    const session = await issueSession(test.services, { id });
    await changePassword.run(as(id), { currentPassword: 'correct horse', newPassword: 'battery staple' });
    expect(await resolveSession(test.services, session)).toBeNull();
    await expect(login.run(anonymous, { email, password: 'correct horse' })).rejects.toMatchObject({
      code: 'INVALID_CREDENTIALS',
    });
    expect(await login.run(anonymous, { email, password: 'battery staple' })).toMatchObject({ id });
    expect(await resolveSession(test.services, await issueSession(test.services, { id }))).not.toBeNull();
  });

  it('401 INVALID_CREDENTIALS: a wrong current password, or an account without one; sessions stay', async () => {
    const { id } = await account();
    const session = await issueSession(test.services, { id });
    const withoutPassword = await createTestUser(test.services);
    for (const userId of [id, withoutPassword]) {
      await expect(
        changePassword.run(as(userId), { currentPassword: 'wrong', newPassword: 'battery staple' }),
      ).rejects.toMatchObject({ code: 'INVALID_CREDENTIALS' });
    }
    expect(await resolveSession(test.services, session)).not.toBeNull();
  });

  it('429 RATE_LIMIT_EXCEEDED: after 10 wrong guesses, with the right password too, and for a login as well', async () => {
    const { id, email } = await account();
    const guess = (currentPassword: string) =>
      changePassword.run(as(id), { currentPassword, newPassword: 'battery staple' });
    const tooMany = { code: 'RATE_LIMIT_EXCEEDED' };
    for (let attempt = 0; attempt < 10; attempt += 1)
      await expect(guess(`wrong ${attempt}`)).rejects.toMatchObject({ code: 'INVALID_CREDENTIALS' });
    await expect(guess('correct horse')).rejects.toMatchObject(tooMany);
    await expect(login.run(anonymous, { email, password: 'correct horse' })).rejects.toMatchObject(tooMany);
  });

  it('403 EMAIL_VERIFICATION_REQUIRED: before the address is verified', async () => {
    const { id } = await account();
    await expect(
      changePassword.run(as(id, false), { currentPassword: 'correct horse', newPassword: 'battery staple' }),
    ).rejects.toMatchObject({ code: 'EMAIL_VERIFICATION_REQUIRED' });
  });

  it('422 VALIDATION_ERROR: a new password out of 8 to 128 characters', async () => {
    const { id } = await account();
    for (const newPassword of ['1234567', 'x'.repeat(129)]) {
      await expect(
        changePassword.run(as(id), { currentPassword: 'correct horse', newPassword }),
      ).rejects.toMatchObject({ errors: [expect.objectContaining({ field: 'newPassword' })] });
    }
  });
});
