import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { sendingCampaign, type TestProject, waitingMail } from '../../testing/index.ts';
import { isDrained, skipWaiting, stopCampaign } from './cancel.store.ts';
import { countersOf, openTestLedger, type TestLedger } from './ledger.fixture.ts';

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
const counters = () => countersOf(ledger.test, campaignId);
const statuses = async () =>
  (await prisma().email.findMany({ where: { campaignId }, orderBy: { id: 'asc' } })).map(
    ({ status }) => status,
  );
const skip = (limit = 100) =>
  skipWaiting(prisma(), { projectId: project.id, campaignId }, 'cancelled', limit);
/** As a cancellation does: the state is committed first. */
async function stop(): Promise<void> {
  await prisma().campaign.update({ where: { id: campaignId }, data: { status: 'CANCELLED' } });
  await stopCampaign(prisma(), campaignId);
}

describe('a cancelled campaign', () => {
  it('skips what waits, batch by batch, and counts it', async () => {
    await waiting(5, 2);
    expect(await skip(2)).toBe(2);
    expect(await counters()).toMatchObject({ skippedCount: 4, skips: { cancelled: 4 } });
    expect(await isDrained(prisma(), campaignId)).toBe(false);
    expect(await skip()).toBe(1);
    expect(await skip()).toBe(0);
    expect(await isDrained(prisma(), campaignId)).toBe(true);
    expect(await counters()).toMatchObject({ skippedCount: 5, skips: { cancelled: 5 } });
    expect(
      await prisma().email.count({
        where: { campaignId, status: 'SKIPPED', reason: 'cancelled', batchId: null },
      }),
    ).toBe(5);
    expect(await prisma().event.count({ where: { projectId: project.id, name: 'email.skipped' } })).toBe(5);
  });

  it('finishes what has begun; the rest of a held batch is skipped', async () => {
    await waiting(3);
    const [held] = await ledger.take(project.id, { kind: 'bulk' });
    await held?.begin({ n: 0 });
    await stop();
    expect(await skip()).toBe(0);
    held?.answer(0, { outcome: 'sent' });
    held?.answer(1, { outcome: 'giveback' });
    held?.answer(2, { outcome: 'retry', error: '451', waitMs: 1 });
    await held?.record();
    await held?.write();
    expect(await statuses()).toEqual(['SENT', 'SKIPPED', 'SKIPPED']);
    expect(await isDrained(prisma(), campaignId)).toBe(true);
    expect(await counters()).toMatchObject({ sentCount: 1, skippedCount: 2, skips: { cancelled: 2 } });
  });

  it('skips the rest of a held batch whose worker was lost', async () => {
    await waiting(2);
    const [held] = await ledger.take(project.id, { kind: 'bulk' });
    await held?.begin({ n: 0 });
    await stop();
    if (held) await ledger.expire(held);
    await ledger.reap();
    expect(await statuses()).toEqual(['UNCERTAIN', 'SKIPPED']);
    expect(await isDrained(prisma(), campaignId)).toBe(true);
  });

  it('makes what an earlier attempt may have delivered UNCERTAIN again', async () => {
    const [email] = await waiting(1);
    await prisma().email.update({ where: { id: email?.id ?? '' }, data: { uncertainAt: new Date() } });
    await skip();
    expect(await statuses()).toEqual(['UNCERTAIN']);
    expect(await counters()).toMatchObject({ skippedCount: 0, uncertainCount: 1 });
  });

  it('leaves the email of other campaigns alone', async () => {
    await waiting(1);
    const other = await sendingCampaign(ledger.test.services, project.id);
    await waitingMail(ledger.test.services, project.id, { count: 1, campaignId: other });
    await stop();
    await skip();
    const held = await ledger.take(project.id, { kind: 'bulk' });
    expect(held.map(({ batch }) => batch.campaignId)).toEqual([other]);
    expect(await held[0]?.begin({ n: 0 })).toBe(true);
  });
});
