import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { sendingCampaign, type TestProject, waitingMail } from '../../testing/index.ts';
import { skipWaiting, stopCampaign } from './cancel.store.ts';
import { dueProjects } from './due.store.ts';
import { countersOf, openTestLedger, type TestLedger } from './ledger.fixture.ts';
import { priorities } from './ledger.rules.ts';
import { holdBatch, holdWaiting, releaseHeldBatches, settlePauses } from './pause.store.ts';

let ledger: TestLedger;
let project: TestProject;
let campaignId: string;

beforeAll(async () => {
  ledger = await openTestLedger();
});
afterAll(() => ledger.close());
beforeEach(async () => {
  project = await ledger.newProject();
  campaignId = await sendingCampaign(ledger.test.services, project.id);
});

const prisma = () => ledger.test.services.database.prisma;
const waiting = (count: number, batchSize = 500) =>
  waitingMail(ledger.test.services, project.id, { count, campaignId, batchSize });
const mark = (pausedAt: Date | null) =>
  prisma().campaign.update({ where: { id: campaignId }, data: { pausedAt } });
const one = () => ({ projectId: project.id, campaignId });
const take = () => ledger.take(project.id, { kind: 'bulk' });
const batches = () => prisma().deliveryBatch.findMany({ where: { campaignId }, orderBy: { id: 'asc' } });
const isDue = async () =>
  (await ledger.use((client) => dueProjects(client, 1_000))).projects.some(
    ({ projectId }) => projectId === project.id,
  );

/** As a pause does: the state is committed first. */
async function pause(): Promise<void> {
  await mark(new Date());
  await stopCampaign(prisma(), campaignId);
  await holdWaiting(prisma(), one());
}

async function resume(): Promise<void> {
  await mark(null);
  await releaseHeldBatches(prisma(), one());
}

describe('a paused campaign', () => {
  it('is not claimed, and does not look due; then it is sent on', async () => {
    await waiting(5, 2);
    await pause();
    expect(await take()).toEqual([]);
    expect(await isDue()).toBe(false);
    await resume();
    expect(await isDue()).toBe(true);
    expect((await take()).flatMap(({ emails }) => emails)).toHaveLength(5);
  });

  it('finishes what has begun; the rest of a claimed batch waits, without an attempt', async () => {
    await waiting(3);
    const [held] = await take();
    await held?.begin({ n: 0 });
    await pause();
    expect(await held?.begin({ n: 1 })).toBe(false);
    held?.answer(0, { outcome: 'sent' });
    held?.answer(1, { outcome: 'giveback' });
    held?.answer(2, { outcome: 'giveback' });
    await held?.record();
    await held?.write();
    expect(await countersOf(ledger.test, campaignId)).toMatchObject({ sentCount: 1, skippedCount: 0 });
    expect((await batches()).map(({ held: isHeld, emailIds }) => [isHeld, emailIds.length])).toEqual([
      [true, 2],
    ]);
    await resume();
    const [again] = await take();
    expect(again?.emails.map(({ attempts }) => attempts)).toEqual([0, 0]);
  });

  it('holds the rest of a batch whose worker was lost', async () => {
    await waiting(2);
    const [held] = await take();
    await held?.begin({ n: 0 });
    await pause();
    if (held) await ledger.expire(held);
    await ledger.reap();
    expect(await take()).toEqual([]);
    expect(await countersOf(ledger.test, campaignId)).toMatchObject({ uncertainCount: 1, skippedCount: 0 });
    await resume();
    expect((await take()).flatMap(({ emails }) => emails)).toHaveLength(1);
  });

  it('keeps the times of retries', async () => {
    await waiting(1);
    const [held] = await take();
    await held?.settle({ outcome: 'retry', error: '451', waitMs: 3_600_000 });
    const [before] = await batches();
    await pause();
    await resume();
    expect((await batches())[0]?.nextAttemptAt).toEqual(before?.nextAttemptAt);
  });

  it('is read after the claim, by which a batch of a moment before is given back and held', async () => {
    await waiting(2);
    await mark(new Date());
    const [held] = await take();
    expect(held?.batch).toMatchObject({ campaignStatus: 'SENDING', campaignPaused: true });
    if (held) await ledger.use((client) => holdBatch(client, held));
    expect((await batches()).map(({ held: isHeld, token }) => [isHeld, token])).toEqual([[true, null]]);
    // Once it goes on, a batch that is given back as held is due.
    await resume();
    const [again] = await take();
    if (again) await ledger.use((client) => holdBatch(client, again));
    expect((await batches()).map(({ held: isHeld }) => isHeld)).toEqual([false]);
  });

  it('that is cancelled skips what it holds, and what had been claimed', async () => {
    await waiting(4, 2);
    const [held] = await ledger.take(project.id, { kind: 'bulk', maxEmails: 2 });
    await pause();
    await prisma().campaign.update({
      where: { id: campaignId },
      data: { status: 'CANCELLED', pausedAt: null },
    });
    for (const { n } of held?.emails ?? []) held?.answer(n, { outcome: 'giveback' });
    await held?.record();
    await held?.write();
    expect(await countersOf(ledger.test, campaignId)).toMatchObject({ skippedCount: 2 });
    await skipWaiting(prisma(), one(), 'cancelled', 100);
    expect(await countersOf(ledger.test, campaignId)).toMatchObject({ skippedCount: 4 });
    expect(await batches()).toEqual([]);
  });

  it('leaves other campaigns alone', async () => {
    await waiting(1);
    const other = await sendingCampaign(ledger.test.services, project.id);
    await waitingMail(ledger.test.services, project.id, { count: 1, campaignId: other });
    await pause();
    expect((await take()).map(({ batch }) => batch.campaignId)).toEqual([other]);
  });
});

describe('20,000 batches, those of ten million recipients,', () => {
  const many = 20_000;

  /** Blocks that a claim of ten emails reads; it is undone. */
  const blocksOfClaim = () =>
    ledger.use(async (client) => {
      await client.query('BEGIN');
      try {
        const { rows } = await client.query({
          text: `EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON)
            SELECT * FROM claim_batches(ARRAY[$1]::uuid[], ARRAY[10], true, uuid7(), 'test', 60000, 1000000)`,
          values: [project.id],
        });
        const plan = rows[0]?.['QUERY PLAN'][0].Plan;
        return Number(plan['Shared Hit Blocks']) + Number(plan['Shared Read Blocks']);
      } finally {
        await client.query('ROLLBACK');
      }
    });

  it('are held within two seconds, and cost the claims of another campaign nothing', async () => {
    const other = await sendingCampaign(ledger.test.services, project.id);
    await waitingMail(ledger.test.services, project.id, { count: 10, campaignId: other, batchSize: 1 });
    const alone = await blocksOfClaim();
    await prisma().$executeRaw`
      INSERT INTO "DeliveryBatch" ("id", "projectId", "campaignId", "priority", "emailIds", "nextAttemptAt")
      SELECT uuid7(), ${project.id}::uuid, ${campaignId}::uuid, ${priorities.CAMPAIGN}::smallint, ARRAY[uuid7()], now() - interval '1 hour'
      FROM generate_series(1, ${many}::int)`;
    await mark(new Date());
    const began = performance.now();
    expect(await holdWaiting(prisma(), one())).toBe(many);
    expect(performance.now() - began).toBeLessThan(2_000);
    await prisma().$executeRaw`VACUUM "DeliveryBatch"`;
    // The indexes have become a level deeper. To read the batches would take more than a thousand blocks.
    expect(await blocksOfClaim()).toBeLessThan(alone + 500);
    await prisma().deliveryBatch.deleteMany({ where: { campaignId } });
  });
});

describe('what a race leaves', () => {
  it('held in a campaign that goes on is released, and waiting in a paused one is held', async () => {
    await waiting(4, 2);
    await pause();
    await mark(null);
    expect(await settlePauses(prisma())).toMatchObject({ projectIds: [project.id], batches: 2 });
    expect((await batches()).every(({ held }) => !held)).toBe(true);
    await mark(new Date());
    expect(await settlePauses(prisma())).toMatchObject({ projectIds: [], batches: 2 });
    expect((await batches()).every(({ held }) => held)).toBe(true);
    expect((await settlePauses(prisma())).batches).toBe(0);
    await resume();
  });
});
