import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { newId } from '../../base/lib/index.ts';
import { sendingCampaign, type TestProject, waitingMail } from '../../testing/index.ts';
import type { BatchResult } from './batch.ts';
import { settleLate } from './late.store.ts';
import { countersOf, type HeldBatch, openTestLedger, type TestLedger } from './ledger.fixture.ts';
import { scheduledPriority } from './ledger.rules.ts';
import type { ClaimedEmail } from './read.store.ts';
import { cancelWaiting, lockWaiting } from './waiting-email.store.ts';

let ledger: TestLedger;
let project: TestProject;

beforeAll(async () => {
  ledger = await openTestLedger();
});
afterAll(() => ledger.close());
beforeEach(async () => {
  project = await ledger.newProject();
});

const prisma = () => ledger.test.services.database.prisma;
const emailOf = (id: string) => prisma().email.findUniqueOrThrow({ where: { id } });
const batches = () => prisma().deliveryBatch.findMany({ where: { projectId: project.id } });

/** An email that became UNCERTAIN because its worker was suspended beyond its lease. */
async function interrupted(campaignId: string | null = null, priority?: number) {
  await waitingMail(ledger.test.services, project.id, { count: 1, campaignId });
  if (priority !== undefined)
    await prisma().deliveryBatch.updateMany({ where: { projectId: project.id }, data: { priority } });
  const taken = await ledger.takeOne(project.id, campaignId ? 'bulk' : 'direct');
  await taken.held.begin(taken.email);
  await ledger.expire(taken.held);
  await ledger.reap();
  expect((await emailOf(taken.email.id)).status).toBe('UNCERTAIN');
  return taken;
}

const late = ({ held, email }: { held: HeldBatch; email: ClaimedEmail }, result: BatchResult) =>
  ledger.use((client) =>
    settleLate(
      client,
      [{ emailId: email.id, token: held.token, priority: email.priority, result, subject: null }],
      'sandbox@localhost',
    ),
  );

describe('the late answer of a suspended worker', () => {
  it.each([
    ['sent', { outcome: 'sent' }, 'SENT'],
    ['tried again', { outcome: 'retry', error: '451', waitMs: 1 }, 'UNCERTAIN'],
    ['withheld', { outcome: 'giveback' }, 'UNCERTAIN'],
    ['refused', { outcome: 'failed', error: '550' }, 'FAILED'],
  ] as const)(
    '%s: an email that was cancelled meanwhile is not sent again',
    async (_what, result, status) => {
      const taken = await interrupted();
      await prisma().$transaction(async (db) => {
        const waiting = await lockWaiting(db, project.id, taken.email.id);
        if (typeof waiting !== 'object') throw new Error(waiting);
        await cancelWaiting(db, waiting);
      });
      await late(taken, result);
      expect((await emailOf(taken.email.id)).status).toBe(status);
      expect(await batches()).toEqual([]);
    },
  );

  it('accepted: SENT, and the waiting resend does not happen', async () => {
    const taken = await interrupted();
    expect(await late(taken, { outcome: 'sent' })).toEqual({
      campaigns: [],
      outcomes: [{ source: 'TRANSACTIONAL', outcome: 'sent', count: 1 }],
      projects: [project.id],
      emails: 1,
      optOuts: 0,
    });
    expect(await emailOf(taken.email.id)).toMatchObject({
      status: 'SENT',
      attempts: 1,
      uncertainAt: null,
      batchId: null,
    });
    await prisma().deliveryBatch.updateMany({
      where: { projectId: project.id },
      data: { nextAttemptAt: new Date() },
    });
    expect((await ledger.take(project.id)).flatMap(({ emails }) => emails)).toEqual([]);
    expect(await prisma().event.count({ where: { emailId: taken.email.id, name: 'email.sent' } })).toBe(1);
  });

  it('refused for good: FAILED, counted once', async () => {
    const campaignId = await sendingCampaign(ledger.test.services, project.id);
    const taken = await interrupted(campaignId);
    await late(taken, { outcome: 'failed', error: '550', hardBounce: true });
    await late(taken, { outcome: 'failed', error: '550', hardBounce: true });
    expect(await emailOf(taken.email.id)).toMatchObject({ status: 'FAILED', attempts: 1, error: '550' });
    expect(await prisma().campaignCounter.findUniqueOrThrow({ where: { campaignId } })).toMatchObject({
      failedCount: 1,
      uncertainCount: 0,
      bouncedCount: 1,
    });
    expect(await prisma().event.count({ where: { emailId: taken.email.id, name: 'email.bounce' } })).toBe(1);
  });

  it('refused for now: waits for its next attempt', async () => {
    const campaignId = await sendingCampaign(ledger.test.services, project.id);
    const taken = await interrupted(campaignId);
    await late(taken, { outcome: 'retry', error: '451', waitMs: 60_000 });
    expect(await emailOf(taken.email.id)).toMatchObject({
      status: 'PENDING',
      attempts: 1,
      uncertainAt: null,
    });
    const [batch] = await batches();
    expect(batch).toMatchObject({
      emailIds: [taken.email.id],
      priority: 4,
      again: true,
      campaignId,
      firstAnsweredAt: expect.any(Date),
    });
    expect((batch?.nextAttemptAt.getTime() ?? 0) - Date.now()).toBeGreaterThan(50_000);
  });

  it('nothing was transferred: due again, the attempt returned', async () => {
    const campaignId = await sendingCampaign(ledger.test.services, project.id);
    const taken = await interrupted(campaignId);
    await late(taken, { outcome: 'giveback' });
    expect(await emailOf(taken.email.id)).toMatchObject({
      status: 'PENDING',
      attempts: 0,
      uncertainAt: null,
    });
    expect(await prisma().campaignCounter.findUniqueOrThrow({ where: { campaignId } })).toMatchObject({
      uncertainCount: 0,
    });
    expect((await ledger.takeOne(project.id, 'bulk')).email.id).toBe(taken.email.id);
  });

  it('nothing was transferred of a transactional email: due at once, and its one resend is still unused', async () => {
    const taken = await interrupted();
    await late(taken, { outcome: 'giveback' });
    expect(await emailOf(taken.email.id)).toMatchObject({ status: 'PENDING', autoResent: false });
    expect((await ledger.takeOne(project.id)).email.id).toBe(taken.email.id);
  });

  it.each([
    ['refused for now', { outcome: 'retry', error: '451', waitMs: 60_000 }],
    ['nothing was transferred', { outcome: 'giveback' }],
  ] as const)('%s: email of a batch request still goes after single sends', async (_what, result) => {
    const taken = await interrupted(null, scheduledPriority);
    await late(taken, result);
    const { status, batchId } = await emailOf(taken.email.id);
    expect(status).toBe('PENDING');
    expect((await batches()).filter(({ id }) => id === batchId)).toEqual([
      expect.objectContaining({ emailIds: [taken.email.id], priority: scheduledPriority }),
    ]);
  });

  it('a cancelled campaign: given back becomes SKIPPED', async () => {
    const campaignId = await sendingCampaign(ledger.test.services, project.id);
    const taken = await interrupted(campaignId);
    await prisma().campaign.update({ where: { id: campaignId }, data: { status: 'CANCELLED' } });
    await late(taken, { outcome: 'giveback' });
    expect(await emailOf(taken.email.id)).toMatchObject({ status: 'SKIPPED', reason: 'cancelled' });
    expect(await countersOf(ledger.test, campaignId)).toMatchObject({
      uncertainCount: 0,
      skippedCount: 1,
      skips: { cancelled: 1 },
    });
  });

  it('counts also after the campaign’s retry put the email back', async () => {
    const campaignId = await sendingCampaign(ledger.test.services, project.id);
    const taken = await interrupted(campaignId);
    const batchId = newId();
    await prisma().deliveryBatch.create({
      data: {
        id: batchId,
        projectId: project.id,
        campaignId,
        priority: 4,
        again: true,
        emailIds: [taken.email.id],
      },
    });
    await prisma().email.update({ where: { id: taken.email.id }, data: { status: 'PENDING', batchId } });
    await prisma().campaignCounter.update({ where: { campaignId }, data: { uncertainCount: 0 } });
    await late(taken, { outcome: 'sent' });
    expect((await emailOf(taken.email.id)).status).toBe('SENT');
    expect(await prisma().campaignCounter.findUniqueOrThrow({ where: { campaignId } })).toMatchObject({
      sentCount: 1,
      uncertainCount: 0,
    });
    expect((await ledger.take(project.id, { kind: 'bulk' })).flatMap(({ emails }) => emails)).toEqual([]);
  });

  it('of an attempt that is not the email’s last has no effect', async () => {
    const taken = await interrupted();
    await ledger.use((client) =>
      settleLate(
        client,
        [
          {
            emailId: taken.email.id,
            token: newId(),
            priority: 1,
            result: { outcome: 'sent' },
            subject: null,
          },
        ],
        'sandbox@localhost',
      ),
    );
    expect((await emailOf(taken.email.id)).status).toBe('UNCERTAIN');
  });

  describe('while another worker holds the resend', () => {
    async function resending() {
      const taken = await interrupted();
      await prisma().deliveryBatch.updateMany({
        where: { projectId: project.id },
        data: { nextAttemptAt: new Date() },
      });
      return { taken, again: await ledger.takeOne(project.id) };
    }

    it('refused: left to the answer of the resend', async () => {
      const { taken, again } = await resending();
      await late(taken, { outcome: 'failed', error: '550' });
      expect((await emailOf(taken.email.id)).status).toBe('UNCERTAIN');
      await again.held.settle({ outcome: 'sent' });
      expect((await emailOf(taken.email.id)).status).toBe('SENT');
    });

    it('accepted: SENT, whatever the answer of the resend', async () => {
      const { taken, again } = await resending();
      await late(taken, { outcome: 'sent' });
      await again.held.settle({ outcome: 'failed', error: '550' });
      expect((await emailOf(taken.email.id)).status).toBe('SENT');
      expect(await batches()).toEqual([]);
    });
  });
});
