import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { systemContext } from '../../base/kernel/index.ts';
import { createTestServices, createTestUser, type TestServices } from '../../testing/index.ts';
import {
  endOneSession,
  endOtherSessions,
  endSession,
  issueSession,
  listSessions,
  resolveSession,
  sweepSignIns,
} from './index.ts';

let test: TestServices;
beforeAll(async () => {
  test = await createTestServices();
});
afterAll(() => test.close());
afterEach(() => vi.useRealTimers());

const dayMs = 86_400_000;

function passTime(ms: number): void {
  vi.useFakeTimers({ toFake: ['Date'] });
  vi.setSystemTime(Date.now() + ms);
}

const signedIn = async (userAgent: string | null = null) => {
  const id = await createTestUser(test.services);
  const token = await issueSession(test.services, { id }, { ip: '203.0.113.7', userAgent });
  return { id, token };
};

const resolve = (token: string) => resolveSession(test.services, token);

async function contextOf(token: string) {
  const session = await resolve(token);
  if (!session) throw new Error('the session is open');
  const { id: sessionId, userId, emailVerified } = session;
  return {
    ...systemContext(test.services),
    actor: { type: 'user' as const, userId, sessionId, emailVerified, projectId: null, role: null },
  };
}

it('names its user', async () => {
  const { id, token } = await signedIn();
  expect(await resolve(token)).toMatchObject({ userId: id, emailVerified: true, extended: false });
});

it('stores no token, only its hash', async () => {
  const { token } = await signedIn();
  const rows = await test.services.database.prisma.$queryRaw<{ row: string }[]>`
    SELECT to_json(s)::text AS row FROM "Session" s`;
  expect(rows.some(({ row }) => row.includes(token))).toBe(false);
});

describe('is refused', () => {
  it('after 7 days without use', async () => {
    const { token } = await signedIn();
    passTime(7 * dayMs + 1_000);
    expect(await resolve(token)).toBeNull();
  });

  it('once its user is deleted', async () => {
    const { id, token } = await signedIn();
    await test.services.database.prisma.user.delete({ where: { id } });
    expect(await resolve(token)).toBeNull();
  });

  it('once it was ended', async () => {
    const { token } = await signedIn();
    await endSession(test.services, token);
    expect(await resolve(token)).toBeNull();
  });

  it.each(['', 'x', 'a'.repeat(43), 'a'.repeat(2_000), '\0'])('when it is %j', async (token) => {
    expect(await resolve(token)).toBeNull();
  });
});

it('lasts as long as it is used', async () => {
  const { token } = await signedIn();
  passTime(6 * dayMs);
  expect(await resolve(token)).toMatchObject({ extended: true });
  passTime(6 * dayMs);
  expect(await resolve(token)).not.toBeNull();
});

it('is not written again within a minute', async () => {
  const { token } = await signedIn();
  passTime(2 * 60_000);
  expect(await resolve(token)).toMatchObject({ extended: true });
  expect(await resolve(token)).toMatchObject({ extended: false });
});

it('cannot be issued for a user who does not exist', async () => {
  await expect(issueSession(test.services, { id: crypto.randomUUID() })).rejects.toMatchObject({
    code: 'UNAUTHORIZED',
  });
});

describe('the sessions of an account', () => {
  it('are listed with the place they are used from, the current one marked', async () => {
    const { id, token } = await signedIn('Browser/1.0');
    await issueSession(test.services, { id });
    const sessions = await listSessions.run(await contextOf(token), {});
    expect(sessions).toHaveLength(2);
    expect(sessions.filter(({ current }) => current)).toMatchObject([
      { ip: '203.0.113.7', userAgent: 'Browser/1.0' },
    ]);
  });

  it('can be ended one by one', async () => {
    const { id, token } = await signedIn();
    const other = await issueSession(test.services, { id });
    const otherId = (await resolve(other))?.id ?? '';
    await endOneSession.run(await contextOf(token), { id: otherId });
    expect(await resolve(other)).toBeNull();
    expect(await resolve(token)).not.toBeNull();
  });

  it('of another account cannot be ended', async () => {
    const mine = await signedIn();
    const theirs = await signedIn();
    const id = (await resolve(theirs.token))?.id ?? '';
    await expect(endOneSession.run(await contextOf(mine.token), { id })).rejects.toMatchObject({
      code: 'RESOURCE_NOT_FOUND',
    });
    expect(await resolve(theirs.token)).not.toBeNull();
  });

  it('can be ended all at once, except the current one', async () => {
    const { id, token } = await signedIn();
    const others = [await issueSession(test.services, { id }), await issueSession(test.services, { id })];
    await endOtherSessions.run(await contextOf(token), {});
    expect(await Promise.all(others.map(resolve))).toEqual([null, null]);
    expect(await resolve(token)).not.toBeNull();
  });
});

it('is removed a day after it expired', async () => {
  const { id, token } = await signedIn();
  const inNineDays = new Date(Date.now() + 9 * dayMs);
  await sweepSignIns(test.services, inNineDays, 1_000);
  expect(await resolve(token)).toBeNull();
  expect(await test.services.database.prisma.session.count({ where: { userId: id } })).toBe(0);
});
