import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { createTestServices, createTestUser, type TestServices } from '../testing/index.ts';
import { issueSession, resolveSession } from './index.ts';

let test: TestServices;
beforeAll(async () => {
  test = await createTestServices();
});
afterAll(() => test.close());
afterEach(() => vi.useRealTimers());

const signedIn = async () => {
  const id = await createTestUser(test.services);
  return { id, token: await issueSession(test.services, { id }) };
};

it('names its user', async () => {
  const { id, token } = await signedIn();
  expect(await resolveSession(test.services, token)).toEqual({ userId: id, emailVerified: true });
});

describe('is refused', () => {
  it('after 7 days', async () => {
    const { token } = await signedIn();
    vi.useFakeTimers({ toFake: ['Date'] });
    vi.setSystemTime(Date.now() + 7 * 86_400_000 - 1_000);
    expect(await resolveSession(test.services, token)).not.toBeNull();
    vi.setSystemTime(Date.now() + 2_000);
    expect(await resolveSession(test.services, token)).toBeNull();
  });

  it('once the token version of its user was raised', async () => {
    const { id, token } = await signedIn();
    await test.services.database.prisma.user.update({
      where: { id },
      data: { tokenVersion: { increment: 1 } },
    });
    expect(await resolveSession(test.services, token)).toBeNull();
  });

  it('once its user is deleted', async () => {
    const { id, token } = await signedIn();
    await test.services.database.prisma.user.delete({ where: { id } });
    expect(await resolveSession(test.services, token)).toBeNull();
  });

  it.each(['', 'x', 'a'.repeat(2_000), '\0'])('when it is %j', async (token) => {
    expect(await resolveSession(test.services, token)).toBeNull();
  });

  it('when one character was changed, or it was signed for another purpose', async () => {
    const { token } = await signedIn();
    const changed = (token.at(6) === 'A' ? 'B' : 'A') + token.slice(7);
    expect(await resolveSession(test.services, token.slice(0, 6) + changed)).toBeNull();
    const link = test.services.secrets.sign('link', Buffer.alloc(26));
    expect(await resolveSession(test.services, link)).toBeNull();
  });
});

it('cannot be issued for a user who does not exist', async () => {
  await expect(issueSession(test.services, { id: crypto.randomUUID() })).rejects.toMatchObject({
    code: 'UNAUTHORIZED',
  });
});
