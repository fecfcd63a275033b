import { afterAll, beforeAll, expect, it } from 'vitest';
import { raiseAttempts } from '../../people/users/attempts.store.ts';
import { waitingMail } from '../../testing/index.ts';
import { openTestLedger, type TestLedger } from './ledger.fixture.ts';
import { pauseRoute, takeProbe } from './route.store.ts';

/**
 * The database's clock may be set back: by a correction, or by a failover to a host whose clock is behind. What was written before then lies
 * in the future. Here such times are written.
 */
let ledger: TestLedger;
beforeAll(async () => {
  ledger = await openTestLedger();
});
afterAll(() => ledger.close());

const prisma = () => ledger.test.services.database.prisma;

it('keeps no project from sending', async () => {
  const { id: projectId } = await ledger.newProject();
  await ledger.take(projectId);
  await waitingMail(ledger.test.services, projectId, { count: 1 });
  await prisma()
    .$executeRaw`UPDATE "SendBucket" SET "tokens" = 0, "updatedAt" = now() + interval '1 hour' WHERE "projectId" = ${projectId}::uuid`;
  const held = await ledger.take(projectId);
  expect(held.flatMap(({ emails }) => emails)).toHaveLength(1);
  // From then on, time counts again.
  const { updatedAt } = await prisma().sendBucket.findUniqueOrThrow({ where: { projectId } });
  expect(updatedAt.getTime()).toBeLessThan(Date.now() + 60_000);
});

it('keeps no paused route from being probed', async () => {
  await ledger.use((client) =>
    pauseRoute(client, 'smtp:clock', 'refused', { delaysSeconds: [5], worker: 'w', othersWithinMs: 0 }),
  );
  const probe = () => ledger.use((client) => takeProbe(client, 'smtp:clock', [5, 15, 60]));
  expect(await probe()).toBe(false);
  await prisma()
    .$executeRaw`UPDATE "Route" SET "nextProbeAt" = now() + interval '1 hour' WHERE "id" = 'smtp:clock'`;
  expect(await probe()).toBe(true);
  expect(await probe()).toBe(false);
});

it('keeps nobody out whose attempts were counted before', async () => {
  const { database } = ledger.test.services;
  for (const attempt of [1, 2]) expect((await raiseAttempts(database, 'clock', 60)).count).toBe(attempt);
  await prisma()
    .$executeRaw`UPDATE "AuthAttempt" SET "windowStart" = now() + interval '1 hour' WHERE "key" = 'clock'`;
  expect(await raiseAttempts(database, 'clock', 60)).toEqual({ count: 1, resetSeconds: 60 });
});
