import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestProject, createTestServices, type TestServices } from '../../testing/index.ts';
import { countMoreRequests, resolveKey } from './index.ts';

let test: TestServices;
beforeAll(async () => {
  test = await createTestServices({ env: { RATE_LIMIT_PER_MINUTE: '5' } });
});
afterAll(() => test.close());

const secret = { required: 'secret', countRequest: true } as const;

/** Moves the current window into the past, as if the time had passed. */
const age = (projectId: string, seconds: number) =>
  test.services.database.durable.query(
    `UPDATE "RateWindow" SET "windowStart" = "windowStart" - $2 * interval '1 s' WHERE "projectId" = $1`,
    [projectId, seconds],
  );

describe('a valid key', () => {
  it('names its project and its type', async () => {
    const project = await createTestProject(test.services);
    const resolved = await resolveKey(test.services, project.secretKey, secret);
    expect(resolved.actor).toEqual({ type: 'key', key: 'secret', projectId: project.id });
    expect(resolved.project).toEqual(project.project);
    expect(resolved.isKeyUsed).toBe(false);
    const asPublic = await resolveKey(test.services, project.publicKey, {
      required: 'public',
      countRequest: true,
    });
    expect(asPublic.actor.key).toBe('public');
  });

  it('shows a disabled project as disabled', async () => {
    const project = await createTestProject(test.services);
    await test.services.database.prisma.project.update({
      where: { id: project.id },
      data: { disabled: true },
    });
    expect((await resolveKey(test.services, project.secretKey, secret)).project.disabled).toBe(true);
  });
});

describe('401 INVALID_API_KEY', () => {
  it.each([
    '',
    'sk_',
    `sk_${'g'.repeat(64)}`,
    `sk_${'A'.repeat(64)}`,
    `sk_${'a'.repeat(63)}`,
    `xk_${'a'.repeat(64)}`,
  ])('for the malformed key %j', async (key) => {
    await expect(resolveKey(test.services, key, secret)).rejects.toMatchObject({ code: 'INVALID_API_KEY' });
  });

  it('for an unknown key', async () => {
    await expect(resolveKey(test.services, `sk_${'a'.repeat(64)}`, secret)).rejects.toMatchObject({
      code: 'INVALID_API_KEY',
    });
  });

  it('for the wrong type, saying which one is needed, without counting', async () => {
    const project = await createTestProject(test.services);
    await expect(resolveKey(test.services, project.publicKey, secret)).rejects.toMatchObject({
      code: 'INVALID_API_KEY',
      message: expect.stringContaining('secret key is required'),
    });
    await expect(
      resolveKey(test.services, project.secretKey, { required: 'public', countRequest: true }),
    ).rejects.toMatchObject({
      code: 'INVALID_API_KEY',
      message: expect.stringContaining('public key is required'),
    });
    expect((await resolveKey(test.services, project.secretKey, secret)).rate?.remaining).toBe(4);
  });

  it('for a deleted project', async () => {
    const project = await createTestProject(test.services);
    await test.services.database.prisma.project.update({
      where: { id: project.id },
      data: { deletedAt: new Date() },
    });
    await expect(resolveKey(test.services, project.secretKey, secret)).rejects.toMatchObject({
      code: 'INVALID_API_KEY',
    });
  });
});

describe('the request window', () => {
  it('is exceeded by the first request above the limit', async () => {
    const project = await createTestProject(test.services);
    const rates = [];
    for (let request = 0; request < 6; request += 1)
      rates.push((await resolveKey(test.services, project.secretKey, secret)).rate);
    expect(rates.map((rate) => rate?.remaining)).toEqual([4, 3, 2, 1, 0, 0]);
    expect(rates.map((rate) => rate?.exceeded)).toEqual([false, false, false, false, false, true]);
    expect(rates[0]).toMatchObject({ limit: 5, resetSeconds: 60 });
  });

  it('of the public key, which web pages contain, does not affect that of the secret key', async () => {
    const project = await createTestProject(test.services);
    const asPublic = { required: 'public', countRequest: true } as const;
    for (let request = 0; request < 5; request += 1)
      await resolveKey(test.services, project.publicKey, asPublic);
    expect((await resolveKey(test.services, project.publicKey, asPublic)).rate?.exceeded).toBe(true);
    expect((await resolveKey(test.services, project.secretKey, secret)).rate).toMatchObject({
      remaining: 4,
      exceeded: false,
    });
  });

  it('counts the items of a request beyond the first', async () => {
    const project = await createTestProject(test.services);
    const { actor } = await resolveKey(test.services, project.secretKey, secret);
    expect(await countMoreRequests(test.services, actor, 3)).toMatchObject({ remaining: 1, exceeded: false });
    expect(await countMoreRequests(test.services, actor, 2)).toMatchObject({ remaining: 0, exceeded: true });
    await age(project.id, 61);
    expect(await countMoreRequests(test.services, actor, 2)).toMatchObject({
      remaining: 3,
      resetSeconds: 60,
    });
  });

  it('is exact for concurrent requests', async () => {
    const project = await createTestProject(test.services);
    const all = await Promise.all(
      Array.from({ length: 40 }, () => resolveKey(test.services, project.secretKey, secret)),
    );
    expect(all.filter(({ rate }) => rate?.exceeded === false)).toHaveLength(5);
  });

  it('does not restart before 60 seconds have passed, even when exceeded', async () => {
    const project = await createTestProject(test.services);
    for (let request = 0; request < 6; request += 1)
      await resolveKey(test.services, project.secretKey, secret);
    await age(project.id, 50);
    const { rate } = await resolveKey(test.services, project.secretKey, secret);
    expect(rate).toMatchObject({ exceeded: true });
    expect(rate?.resetSeconds).toBeGreaterThanOrEqual(9);
    expect(rate?.resetSeconds).toBeLessThanOrEqual(10);
  });

  it('starts with the first request after the previous one ended', async () => {
    const project = await createTestProject(test.services);
    for (let request = 0; request < 6; request += 1)
      await resolveKey(test.services, project.secretKey, secret);
    await age(project.id, 75);
    const { rate } = await resolveKey(test.services, project.secretKey, secret);
    expect(rate).toEqual({ limit: 5, remaining: 4, resetSeconds: 60, exceeded: false });
  });

  it('does not apply to uncounted requests', async () => {
    const project = await createTestProject(test.services);
    const uncounted = await resolveKey(test.services, project.secretKey, {
      required: 'secret',
      countRequest: false,
    });
    expect(uncounted.rate).toBeNull();
    expect((await resolveKey(test.services, project.secretKey, secret)).rate?.remaining).toBe(4);
  });
});

describe('the idempotency key', () => {
  const use = (projectId: string, key: string, ageHours: number) =>
    test.services.database.prisma.idempotencyKey.create({
      data: {
        projectId,
        key,
        request: 'POST /v1/send',
        statusCode: 200,
        createdAt: new Date(Date.now() - ageHours * 3_600_000),
      },
    });

  it('is known to be used up for 24 hours', async () => {
    const project = await createTestProject(test.services);
    await use(project.id, 'order-1', 23.9);
    const { isKeyUsed } = await resolveKey(test.services, project.secretKey, {
      ...secret,
      idempotencyKey: 'order-1',
    });
    expect(isKeyUsed).toBe(true);
  });

  it('is free for other projects, for other keys, and again after 24 hours', async () => {
    const [one, other] = [await createTestProject(test.services), await createTestProject(test.services)];
    await use(one.id, 'order-1', 0);
    await use(one.id, 'order-old', 24.01);
    const look = async (key: string, idempotencyKey: string) =>
      (await resolveKey(test.services, key, { ...secret, idempotencyKey })).isKeyUsed;
    expect(await look(other.secretKey, 'order-1')).toBe(false);
    expect(await look(one.secretKey, 'order-2')).toBe(false);
    expect(await look(one.secretKey, 'order-old')).toBe(false);
  });
});
