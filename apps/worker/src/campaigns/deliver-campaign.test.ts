import { deliverCampaignJob, getCampaign, unscheduleCampaign } from '@postrider/core/automation/campaigns';
import { readRowSignal } from '@postrider/core/base/kernel';
import { newId } from '@postrider/core/base/lib';
import {
  createTestProject,
  createTestServices,
  refuseWrites,
  type TestServices,
  verifiedDomain,
} from '@postrider/core/testing';
import type { TestWorkflowEnvironment } from '@temporalio/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startJob } from '../testing/jobs.ts';
import { createTimeSkippingEnvironment, withWorker } from '../testing/time-skipping.ts';
import { createCampaignActivities } from './campaigns.activities.ts';

let test: TestServices;
let environment: TestWorkflowEnvironment;

const day = 86_400_000;

beforeAll(async () => {
  [test, environment] = await Promise.all([createTestServices(), createTimeSkippingEnvironment()]);
}, 300_000);

afterAll(async () => {
  await environment.teardown();
  await test.close();
});

async function campaignOf({
  contacts,
  inDays,
  verified = true,
}: {
  contacts: number;
  inDays: number;
  verified?: boolean;
}) {
  const { prisma } = test.services.database;
  const project = await createTestProject(test.services);
  if (verified) await verifiedDomain(test.services, project.id, 'mail.test');
  await prisma.contact.createMany({
    data: Array.from({ length: contacts }, () => ({
      id: newId(),
      projectId: project.id,
      email: `${newId()}@people.test`,
    })),
  });
  const now = await environment.currentTimeMs();
  const id = newId();
  await prisma.campaign.create({
    data: {
      id,
      projectId: project.id,
      name: 'Test',
      subject: 'Hello',
      body: '<p>Hello</p>',
      from: 'sender@mail.test',
      audienceType: 'ALL',
      ...(inDays > 0
        ? { status: 'SCHEDULED', scheduledFor: new Date(now + inDays * day) }
        : { status: 'SENDING', sentAt: new Date() }),
    },
  });
  return { id, projectId: project.id, ctx: project.ctx };
}

const start = (campaignId: string) => startJob(environment, deliverCampaignJob, { campaignId });

const run = (work: () => Promise<void>): Promise<void> =>
  withWorker(
    environment,
    createCampaignActivities(test.services, () => environment.currentTimeMs()),
    work,
  );

const rowOf = (id: string) => test.services.database.prisma.campaign.findUniqueOrThrow({ where: { id } });

const countWaiting = (campaignId: string): Promise<number> =>
  test.services.database.prisma.email.count({ where: { campaignId, batchId: { not: null } } });

/** Settles every email as a delivery process would. */
async function settleAll(campaignId: string): Promise<void> {
  const { prisma } = test.services.database;
  const { count } = await prisma.email.updateMany({
    where: { campaignId },
    data: { status: 'SENT', sentAt: new Date(), batchId: null },
  });
  await prisma.campaignCounter.update({ where: { campaignId }, data: { sentCount: count } });
  await prisma.deliveryBatch.deleteMany({ where: { campaignId } });
}

describe('a campaign that is sent now', () => {
  it('freezes every contact once, closes when the ledger is empty, and its counters match its rows', async () => {
    const { id } = await campaignOf({ contacts: 25, inDays: 0 });
    await run(async () => {
      const handle = await start(id);
      await expect.poll(() => countWaiting(id)).toBe(25);
      await settleAll(id);
      await handle.signal(readRowSignal);
      await handle.result();
    });
    expect(await rowOf(id)).toMatchObject({ status: 'SENT', totalRecipients: 25 });
    const counters = await test.services.database.prisma.campaignCounter.findUniqueOrThrow({
      where: { campaignId: id },
    });
    expect(counters).toMatchObject({ sentCount: 25, failedCount: 0, skippedCount: 0, uncertainCount: 0 });
  });

  it('started twice, as after a crash, sends no recipient a second email', async () => {
    const { id } = await campaignOf({ contacts: 10, inDays: 0 });
    const activities = createCampaignActivities(test.services);
    await Promise.all([
      activities.freezeAudience(id),
      activities.freezeAudience(id),
      activities.freezeAudience(id),
    ]);
    expect(await test.services.database.prisma.email.count({ where: { campaignId: id } })).toBe(10);
  });

  it('closes at once when its audience has become empty', async () => {
    const { id } = await campaignOf({ contacts: 0, inDays: 0 });
    await run(async () => {
      await (await start(id)).result();
    });
    expect(await rowOf(id)).toMatchObject({ status: 'SENT', totalRecipients: 0 });
  });
});

describe('a scheduled campaign', () => {
  it('waits for 45 days and is then sent', async () => {
    const { id } = await campaignOf({ contacts: 0, inDays: 45 });
    const before = await environment.currentTimeMs();
    await run(async () => {
      await (await start(id)).result();
    });
    expect((await environment.currentTimeMs()) - before).toBeGreaterThanOrEqual(45 * day);
    expect((await rowOf(id)).status).toBe('SENT');
  });

  it('whose clock is behind that of Temporal is read a few times, not over and over, until it is due', async () => {
    const { id } = await campaignOf({ contacts: 0, inDays: 1 });
    let reads = 0;
    const behind = async () => {
      reads += 1;
      return (await environment.currentTimeMs()) - 600_000;
    };
    await withWorker(environment, createCampaignActivities(test.services, behind), async () => {
      await (await start(id)).result();
    });
    expect((await rowOf(id)).status).toBe('SENT');
    expect(reads).toBeLessThan(20);
  });

  it('whose domain is no longer verified is cancelled with the reason', async () => {
    const { id } = await campaignOf({ contacts: 3, inDays: 1, verified: false });
    await run(async () => {
      await (await start(id)).result();
    });
    expect(await rowOf(id)).toMatchObject({ status: 'CANCELLED', statusReason: 'domain_unverified' });
    expect(await test.services.database.prisma.email.count({ where: { campaignId: id } })).toBe(0);
  });

  it('that is cancelled while it waits ends without sending an email', async () => {
    const { id } = await campaignOf({ contacts: 3, inDays: 10 });
    await run(async () => {
      const handle = await start(id);
      await test.services.database.prisma.campaign.update({ where: { id }, data: { status: 'CANCELLED' } });
      await handle.signal(readRowSignal);
      await handle.result();
    });
    expect(await test.services.database.prisma.email.count({ where: { campaignId: id } })).toBe(0);
  });
});

describe('a campaign that is unscheduled while it waits', () => {
  it('is not sent at its time, and starts once it is scheduled again', async () => {
    const { id, ctx } = await campaignOf({ contacts: 3, inDays: 10 });
    await run(async () => {
      const handle = await start(id);
      await unscheduleCampaign.run(ctx, { id });
      await handle.signal(readRowSignal);
      await handle.result();
      await environment.sleep(11 * day);
      expect(await rowOf(id)).toMatchObject({ status: 'DRAFT', scheduledFor: null });
      expect(await test.services.database.prisma.email.count({ where: { campaignId: id } })).toBe(0);

      const scheduledFor = new Date((await environment.currentTimeMs()) + day);
      await test.services.database.prisma.campaign.update({
        where: { id },
        data: { status: 'SCHEDULED', scheduledFor },
      });
      const again = await start(id);
      await environment.sleep(day);
      await expect.poll(() => countWaiting(id)).toBe(3);
      await settleAll(id);
      await again.signal(readRowSignal);
      await again.result();
    });
    expect((await rowOf(id)).status).toBe('SENT');
  });
});

describe('a campaign with a test', () => {
  it('is decided at its end, gives the rest the winner, and closes once that is sent', async () => {
    const { id } = await campaignOf({ contacts: 60, inDays: 0 });
    const { prisma } = test.services.database;
    await prisma.campaign.update({
      where: { id },
      data: {
        test: {
          variants: [{ subject: 'Other' }],
          sample: 50,
          metric: 'CLICKS',
          hours: 4,
          decide: 'AUTOMATIC',
        },
      },
    });
    const held = () => prisma.deliveryBatch.count({ where: { campaignId: id, held: true } });
    const before = await environment.currentTimeMs();
    await run(async () => {
      const handle = await start(id);
      await expect.poll(() => countWaiting(id)).toBe(60);
      expect(await held()).toBeGreaterThan(0);
      // The sample is sent; the rest waits.
      const sample = await prisma.email.findMany({ where: { campaignId: id, variant: { gt: 0 } } });
      await prisma.email.updateMany({
        where: { id: { in: sample.map((email) => email.id) } },
        data: { status: 'SENT', sentAt: new Date(), batchId: null },
      });
      await prisma.email.updateMany({
        where: { campaignId: id, variant: 2 },
        data: { clickedAt: new Date() },
      });
      await prisma.deliveryBatch.deleteMany({ where: { campaignId: id, held: false } });
      await handle.signal(readRowSignal);
      await environment.sleep('5 hours');
      await expect.poll(async () => (await rowOf(id)).testState, { timeout: 60_000 }).toBe('DECIDED');
      await expect.poll(held).toBe(0);
      await settleAll(id);
      await handle.signal(readRowSignal);
      await handle.result();
    });
    const row = await rowOf(id);
    expect(row).toMatchObject({ status: 'SENT', testWinner: 2, testDecidedBy: 'END' });
    expect((row.testEndsAt?.getTime() ?? 0) - before).toBeGreaterThanOrEqual(4 * 3_600_000);
  });
});

describe('a campaign that is deleted while emails refer to it', () => {
  it('is removed from all of them, and pending emails are skipped', async () => {
    const { prisma } = test.services.database;
    const { id, projectId } = await campaignOf({ contacts: 12, inDays: 0 });
    await createCampaignActivities(test.services).freezeAudience(id);
    await prisma.campaign.delete({ where: { id } });
    await run(async () => {
      await (await start(id)).result();
    });
    const emails = await prisma.email.findMany({ where: { projectId } });
    expect(emails).toHaveLength(12);
    expect(emails.every(({ campaignId, status }) => campaignId === null && status === 'SKIPPED')).toBe(true);
    expect(await prisma.campaignCounter.count({ where: { campaignId: id } })).toBe(0);
  });
});

describe('a campaign that cannot continue', () => {
  const stateOf = async ({ id, ctx }: Awaited<ReturnType<typeof campaignOf>>) => {
    const { status, statusReason } = await getCampaign.run(ctx, { id });
    return { status, statusReason };
  };

  it('is cancelled with the reason when its emails cannot be stored', async () => {
    const campaign = await campaignOf({ contacts: 3, inDays: 0 });
    const allow = await refuseWrites(test.services, 'Email', 'INSERT');
    await run(async () => {
      await (await start(campaign.id)).result();
    });
    await allow();
    expect(await stateOf(campaign)).toEqual({ status: 'CANCELLED', statusReason: 'audience_failed' });
  });

  it('is cancelled with the reason when its condition is not valid SQL', async () => {
    const campaign = await campaignOf({ contacts: 3, inDays: 0 });
    // No request can store this condition: its date is out of PostgreSQL's range.
    const filters = [{ field: 'createdAt', operator: 'within', value: -8_000_000 }];
    await test.services.database.prisma.campaign.update({
      where: { id: campaign.id },
      data: { audienceType: 'FILTERED', audienceCondition: { logic: 'AND', groups: [{ filters }] } },
    });
    await run(async () => {
      await (await start(campaign.id)).result();
    });
    expect(await stateOf(campaign)).toEqual({ status: 'CANCELLED', statusReason: 'audience_failed' });
  });

  it('that is only scheduled is cancelled with the reason', async () => {
    const campaign = await campaignOf({ contacts: 3, inDays: 1 });
    expect(await createCampaignActivities(test.services).giveUpCampaign(campaign.id)).toBe(true);
    expect(await stateOf(campaign)).toEqual({ status: 'CANCELLED', statusReason: 'start_failed' });
  });

  it('whose emails are all sent stays SENDING with the reason until it can be completed', async () => {
    const campaign = await campaignOf({ contacts: 3, inDays: 0 });
    await createCampaignActivities(test.services).freezeAudience(campaign.id);
    await settleAll(campaign.id);
    const allow = await refuseWrites(test.services, 'Event', 'INSERT');
    await run(async () => {
      const ended = (await start(campaign.id)).result();
      await expect
        .poll(() => stateOf(campaign), { timeout: 60_000 })
        .toEqual({ status: 'SENDING', statusReason: 'completion_failed' });
      await allow();
      await ended;
    });
    expect(await stateOf(campaign)).toEqual({ status: 'SENT', statusReason: null });
  });

  it('continues without intervention after the database was unavailable', async () => {
    const campaign = await campaignOf({ contacts: 3, inDays: 0 });
    const activities = createCampaignActivities(test.services);
    let failures = 0;
    const away = {
      ...activities,
      async freezeAudience(id: string) {
        failures += 1;
        if (failures <= 20) throw Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' });
        return activities.freezeAudience(id);
      },
    };
    await withWorker(environment, away, async () => {
      const ended = (await start(campaign.id)).result();
      await expect.poll(() => countWaiting(campaign.id), { timeout: 60_000 }).toBe(3);
      await settleAll(campaign.id);
      await ended;
    });
    expect(await stateOf(campaign)).toEqual({ status: 'SENT', statusReason: null });
  });
});
