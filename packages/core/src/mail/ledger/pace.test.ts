import fc from '@postrider/vitest/fast-check.ts';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { sendingCampaign, type TestProject, waitingMail } from '../../testing/index.ts';
import { openTestLedger, type TestLedger } from './ledger.fixture.ts';
import { releasePaced } from './pace.store.ts';
import { holdWaiting, releaseHeldBatches, settlePauses } from './pause.store.ts';

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
const change = (data: object) => prisma().campaign.update({ where: { id: campaignId }, data });
const release = () => ledger.use((client) => releasePaced(client));

/** A campaign with this pace, whose batches are held as its freeze has them. */
async function paced(perHour: number, count: number, batchSize: number): Promise<void> {
  await change({ perHour });
  await waitingMail(ledger.test.services, project.id, { count, campaignId, batchSize });
  await prisma().deliveryBatch.updateMany({ where: { campaignId }, data: { held: true } });
}

const due = async () => {
  const batches = await prisma().deliveryBatch.findMany({ where: { campaignId, held: false } });
  return batches.reduce((sum, { emailIds }) => sum + emailIds.length, 0);
};
const pass = (seconds: number) => prisma().$executeRaw`
  UPDATE "Campaign" SET "pacedAt" = "pacedAt" - ${seconds}::float8 * interval '1 second' WHERE "id" = ${campaignId}::uuid`;

describe('a campaign with a pace', () => {
  it('begins with a minute of it, and goes on evenly', async () => {
    await paced(600, 200, 10);
    expect(await release()).toEqual([project.id]);
    expect(await due()).toBe(10);
    expect(await release()).toEqual([]);
    await pass(60);
    await release();
    expect(await due()).toBe(20);
    for (let n = 0; n < 6; n += 1) {
      await pass(30);
      await release();
    }
    expect(await due()).toBe(50);
  });

  it('makes up for nothing: after an outage at most a minute of it is due', async () => {
    await paced(600, 400, 10);
    await release();
    await pass(1_200);
    await release();
    await release();
    expect(await due()).toBe(20);
  });

  it('never exceeds its bound in any span, whatever is lost in between, and keeps to 95 % of it in normal running', async () => {
    const perHour = 600;
    await paced(perHour, 600, 10);
    // By a clock that jumps: looks of three processes every few seconds, and an outage of 20 minutes.
    const looks = [{ at: 0, emails: 0 }];
    const random = fc.sample(fc.double({ min: 1, max: 12, noNaN: true }), { numRuns: 160, seed: 7 });
    let now = 0;
    for (const [index, seconds] of random.entries()) {
      const step = index === 80 ? 1_200 : seconds;
      now += step;
      await pass(step);
      await Promise.all(index % 10 === 0 ? [release(), release(), release()] : [release()]);
      looks.push({ at: now, emails: await due() });
    }
    for (const [index, from] of looks.entries())
      for (const to of looks.slice(index + 1))
        expect(to.emails - from.emails).toBeLessThanOrEqual(
          (perHour * (to.at - from.at)) / 3_600 + perHour / 60 + 10,
        );
    const normal = now - 1_200;
    expect(looks.at(-1)?.emails).toBeGreaterThan((0.95 * perHour * normal) / 3_600);
  }, 180_000);

  it('of less than one in a minute begins one by one', async () => {
    await paced(6, 5, 1);
    await release();
    expect(await due()).toBe(1);
    await pass(590);
    await release();
    expect(await due()).toBe(1);
    await pass(20);
    await release();
    expect(await due()).toBe(2);
  });

  it('is released once by any number of processes, in the order of its audience', async () => {
    await paced(3_600, 600, 60);
    const answers = await Promise.all([1, 2, 3, 4].map(release));
    expect(answers.flat()).toEqual([project.id]);
    const order = await prisma().deliveryBatch.findMany({
      where: { campaignId },
      orderBy: { id: 'asc' },
      select: { held: true },
    });
    expect(order.map(({ held }) => held)).toEqual([false, ...Array(9).fill(true)]);
  });

  it('does not go on while it is paused, or once it is cancelled', async () => {
    await paced(600, 100, 10);
    await change({ pausedAt: new Date() });
    await release();
    expect(await due()).toBe(0);
    await change({ pausedAt: null, status: 'CANCELLED' });
    await release();
    expect(await due()).toBe(0);
  });

  it('goes on at its pace after a pause; second attempts are due at once', async () => {
    await paced(600, 100, 10);
    await release();
    const [held] = await ledger.take(project.id, { kind: 'bulk' });
    await held?.settle({ outcome: 'retry', error: '451', waitMs: 1 });
    await change({ pausedAt: new Date() });
    await holdWaiting(prisma(), { projectId: project.id, campaignId });
    await change({ pausedAt: null });
    await releaseHeldBatches(prisma(), { projectId: project.id, campaignId });
    expect(await due()).toBe(10);
    await settlePauses(prisma());
    expect(await due()).toBe(10);
  });

  it('keeps to it when the clock is set back', async () => {
    await paced(600, 100, 10);
    await release();
    await pass(-3_600);
    await release();
    expect(await due()).toBe(10);
    await pass(60);
    await release();
    expect(await due()).toBe(20);
  });
});

describe('a campaign that is sent carefully', () => {
  const waves = async () => {
    const batches = await prisma().deliveryBatch.findMany({ where: { campaignId }, orderBy: { id: 'asc' } });
    return batches.map(({ wave, held }) => `${wave} ${held ? 'held' : 'due'}`);
  };
  const afterAWhile = () => prisma().$executeRaw`
    UPDATE "Campaign" SET "waveDoneAt" = "waveDoneAt" - interval '16 minutes' WHERE "id" = ${campaignId}::uuid`;
  /** Three waves of one batch each. */
  async function careful(): Promise<void> {
    await change({ careful: true });
    await waitingMail(ledger.test.services, project.id, { count: 6, campaignId, batchSize: 2 });
    const batches = await prisma().deliveryBatch.findMany({ where: { campaignId }, orderBy: { id: 'asc' } });
    for (const [index, { id }] of batches.entries())
      await prisma().deliveryBatch.update({ where: { id }, data: { held: true, wave: index + 1 } });
  }

  it('begins with its first wave, and with the next one a while after that has left the queue', async () => {
    await careful();
    await release();
    expect(await waves()).toEqual(['1 due', '2 held', '3 held']);
    const [held] = await ledger.take(project.id, { kind: 'bulk' });
    await release();
    await afterAWhile();
    await release();
    expect(await waves()).toEqual(['1 due', '2 held', '3 held']);
    // A retry, which is not a first attempt, is not waited for.
    held?.answer(0, { outcome: 'retry', error: '451', waitMs: 3_600_000 });
    held?.answer(1, { outcome: 'sent' });
    await held?.record();
    await held?.write();
    await release();
    expect((await waves()).sort()).toEqual(['1 due', '2 held', '3 held']);
    await afterAWhile();
    await release();
    expect((await waves()).sort()).toEqual(['1 due', '2 due', '3 held']);
  });

  it('waits for what was given back of a wave', async () => {
    await careful();
    await release();
    const [held] = await ledger.take(project.id, { kind: 'bulk' });
    for (const { n } of held?.emails ?? []) held?.answer(n, { outcome: 'giveback' });
    await held?.record();
    await held?.write();
    await release();
    await afterAWhile();
    await release();
    expect((await waves()).sort()).toEqual(['1 due', '2 held', '3 held']);
  });
});
