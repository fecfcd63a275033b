import { newId } from '@postrider/core/base/lib';
import {
  createTestProject,
  createTestServices,
  type TestServices,
  waitingMail,
} from '@postrider/core/testing';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it, vi } from 'vitest';
import { createReconcileActivities } from './reconcile.activities.ts';

/** What was written before the database's clock was set back lies in the future. Here such times are written. */
const stepMs = 3_600_000;
const leaseMs = 60_000;
const minute = 60_000;

let test: TestServices;
let projectId: string;
beforeAll(async () => {
  test = await createTestServices();
  Object.assign(test.services.workflows, { signal: async () => true });
});
afterAll(() => test.close());
afterEach(() => vi.restoreAllMocks());
beforeEach(async () => {
  projectId = (await createTestProject(test.services)).id;
  await markedAt(0);
});

const prisma = () => test.services.database.prisma;
const drivers = { ensure: async () => 16 };
const look = (options = { overdueSeconds: 60, leaseMs }) =>
  createReconcileActivities(test.services, { drivers, ...options });
const fromNow = (ms: number) => new Date(Date.now() + ms);

async function markedAt(ms: number): Promise<void> {
  const at = fromNow(ms);
  await prisma().clockMark.upsert({ where: { id: 1 }, create: { id: 1, at }, update: { at } });
}

/** Batches of one email each, by the time from now at which they are due. */
async function batchesDue(...due: number[]): Promise<string[]> {
  await waitingMail(test.services, projectId, { count: due.length, batchSize: 1 });
  const batches = await prisma().deliveryBatch.findMany({ where: { projectId }, orderBy: { id: 'asc' } });
  for (const [index, ms] of due.entries())
    await prisma().deliveryBatch.update({
      where: { id: batches[index]?.id ?? '' },
      data: { nextAttemptAt: fromNow(ms) },
    });
  return batches.map(({ id }) => id);
}

/** In minutes from now, in the order of their ids. */
async function minutesUntilDue(): Promise<number[]> {
  const batches = await prisma().deliveryBatch.findMany({ where: { projectId }, orderBy: { id: 'asc' } });
  return batches.map(({ nextAttemptAt }) => Math.round((nextAttemptAt.getTime() - Date.now()) / minute));
}

it('email that was accepted before is due, and a retry at its time', async () => {
  await batchesDue(stepMs - 2_000, stepMs + 10 * minute);
  await markedAt(stepMs);
  expect((await look().repeatHints()).clock).toBeGreaterThanOrEqual(2);
  expect(await minutesUntilDue()).toEqual([-0, 10]);
});

it('a mark that another process has made since is compared as it stands', async () => {
  const { repeatHints } = look();
  await repeatHints();
  await batchesDue(10 * minute);
  await markedAt(-5 * minute);
  expect((await repeatHints()).clock).toBe(0);
  expect(await minutesUntilDue()).toEqual([10]);
});

it('a step shorter than the time between two looks is found by the process that looked before', async () => {
  const { repeatHints } = look();
  await repeatHints();
  await batchesDue(45_000);
  const read = performance.now.bind(performance);
  vi.spyOn(performance, 'now').mockImplementation(() => read() + 45_000);
  await repeatHints();
  expect(await minutesUntilDue()).toEqual([-0]);
});

it('without a step nothing is due earlier', async () => {
  await batchesDue(10 * minute);
  const { repeatHints } = look();
  for (const _ of [1, 2, 3]) expect((await repeatHints()).clock).toBe(0);
  expect(await minutesUntilDue()).toEqual([10]);
});

it('a lease of before ends after its length, also of a process that is gone', async () => {
  const [id = ''] = await batchesDue(0);
  const held = { token: newId(), worker: 'gone', leaseUntil: fromNow(stepMs + leaseMs) };
  await prisma().deliveryBatch.update({ where: { id }, data: held });
  await markedAt(stepMs);
  await look().repeatHints();
  const { leaseUntil } = await prisma().deliveryBatch.findUniqueOrThrow({ where: { id } });
  expect((leaseUntil?.getTime() ?? 0) - Date.now()).toBeLessThanOrEqual(leaseMs);
});

it('webhook deliveries that wait are due, and a claim of before ends after its length', async () => {
  const delivery = (nextAttemptAt: Date, claimedUntil: Date | null) => ({
    id: newId(),
    projectId,
    endpointId: newId(),
    type: 'email.sent',
    data: {},
    nextAttemptAt,
    claimedUntil,
  });
  await prisma().webhookDelivery.createMany({
    data: [
      delivery(fromNow(stepMs - 2_000), null),
      delivery(fromNow(stepMs - 2_000), fromNow(stepMs + minute)),
      delivery(fromNow(stepMs + 10 * minute), null),
    ],
  });
  await markedAt(stepMs);
  await look().repeatHints();
  const rows = await prisma().webhookDelivery.findMany({ where: { projectId }, orderBy: { id: 'asc' } });
  const inMinutes = (at: Date | null) => Math.round(((at?.getTime() ?? 0) - Date.now()) / minute);
  expect(rows.map(({ nextAttemptAt }) => inMinutes(nextAttemptAt))).toEqual([-0, -0, 10]);
  expect((rows[1]?.claimedUntil?.getTime() ?? 0) - Date.now()).toBeLessThanOrEqual(minute);
});

it('a call that cannot bring everything forward leaves the mark, so that the next one does', async () => {
  await batchesDue(stepMs);
  await markedAt(stepMs);
  await prisma().$executeRaw`ALTER TABLE "WebhookDelivery" RENAME TO "WebhookDeliveryAway"`;
  try {
    await expect(look().repeatHints()).rejects.toThrow(AggregateError);
  } finally {
    await prisma().$executeRaw`ALTER TABLE "WebhookDeliveryAway" RENAME TO "WebhookDelivery"`;
  }
  expect((await prisma().clockMark.findUniqueOrThrow({ where: { id: 1 } })).at.getTime()).toBeGreaterThan(
    Date.now() + stepMs / 2,
  );
});
