import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createGoal } from '../../automation/goals/index.ts';
import { newId } from '../../base/lib/index.ts';
import {
  createTestProject,
  createTestServices,
  sendingCampaign,
  type TestProject,
  type TestServices,
} from '../../testing/index.ts';
import { compareCampaigns, foldFigures, getBreakdown, getCampaignReport } from './index.ts';

let test: TestServices;
let project: TestProject;

beforeAll(async () => {
  test = await createTestServices();
});
afterAll(() => test.close());
beforeEach(async () => {
  project = await createTestProject(test.services);
});

const prisma = () => test.services.database.prisma;
const hourMs = 3_600_000;
const sentAt = new Date(Math.floor((Date.now() - 5 * hourMs) / 900_000) * 900_000);

async function campaignOf(change: object = {}, counts: object = {}): Promise<string> {
  const id = await sendingCampaign(test.services, project.id);
  await prisma().campaign.update({ where: { id }, data: { sentAt, ...change } });
  await prisma().campaignCounter.update({ where: { campaignId: id }, data: counts });
  return id;
}

async function goalOf(given: object = {}): Promise<string> {
  const goal = await createGoal.runRaw(project.ctx, { name: 'Purchase', eventName: 'order.paid', ...given });
  return (goal as { id: string }).id;
}

const converts = (campaignId: string, goalId: string, count: number, change: object = {}) =>
  prisma().recipientConversion.createMany({
    data: Array.from({ length: count }, () => ({
      ...{ goalId, emailId: newId(), projectId: project.id, campaignId, heldOut: false, conversions: 1 },
      ...{ at: sentAt, ...change },
    })),
  });

/** An email of the campaign that was opened the given number of hours after it was sent. */
async function opened(campaignId: string, afterHours: number): Promise<void> {
  const id = newId();
  await prisma().email.create({
    data: {
      id,
      ...{
        projectId: project.id,
        to: `${id}@people.test`,
        toHash: Uint8Array.from(Buffer.from(id)),
        type: 'MARKETING',
      },
      ...{ sourceType: 'CAMPAIGN', contentId: newId(), campaignId, status: 'SENT', sentAt },
      openedAt: new Date(sentAt.getTime() + afterHours * hourMs),
    },
  });
}

describe('the report of a campaign', () => {
  it('has what its goal counted, and what is credited to it', async () => {
    const goalId = await goalOf({ value: { property: 'amount', currency: 'EUR' } });
    const id = await campaignOf({ goalId }, { sentCount: 200 });
    await converts(id, goalId, 4, { value: 2.5 });
    await converts(id, await goalOf({ name: 'Other' }), 3);
    await prisma().conversion.create({
      data: {
        ...{ id: newId(), projectId: project.id, goalId, eventId: newId(), at: new Date(), value: 7 },
        ...{ emailId: newId(), campaignId: id },
      },
    });
    expect(await getCampaignReport.run(project.ctx, { id })).toMatchObject({
      goal: {
        ...{ id: goalId, name: 'Purchase', currency: 'EUR', converted: 4, conversionRate: 2, value: 10 },
        ...{ credited: 1, creditedValue: 7 },
      },
      lift: null,
    });
  });

  it('compares those who got it with those who were held out', async () => {
    const goalId = await goalOf();
    const id = await campaignOf({ goalId, holdout: 10 }, { sentCount: 9_000, skippedCount: 1_000 });
    await prisma().campaignSkip.create({ data: { campaignId: id, reason: 'held_out', count: 1_000 } });
    await converts(id, goalId, 900);
    await converts(id, goalId, 20, { heldOut: true });
    const report = await getCampaignReport.run(project.ctx, { id });
    expect(report.lift).toMatchObject({
      ...{ recipients: 9_000, heldOut: 1_000, rate: 10, heldOutRate: 2, ratio: 5, proven: true },
    });
    expect(report.goal).toMatchObject({ converted: 900, value: null, creditedValue: null });
  });

  it('without a goal has none, and no lift', async () => {
    const id = await campaignOf({ holdout: 10 });
    expect(await getCampaignReport.run(project.ctx, { id })).toMatchObject({
      ...{ goal: null, lift: null, machine: { opens: 0, clicks: 0 } },
    });
  });
});

describe('campaigns side by side', () => {
  const compare = (...ids: string[]) =>
    compareCampaigns.runRaw(project.ctx, { campaignIds: ids.join(',') }) as ReturnType<
      typeof compareCampaigns.run
    >;

  it('have their figures in the order of the request, and their opens by hours, before and after they are added up', async () => {
    const goalId = await goalOf();
    const one = await campaignOf({ goalId }, { sentCount: 2, refusedCount: 2, bouncedCount: 2 });
    const draft = await campaignOf({ sentAt: null });
    await converts(one, goalId, 1);
    for (const hours of [0, 0.9, 3, 80]) await opened(one, hours);
    for (const round of [1, 2]) {
      const { data } = await compare(draft, one);
      expect(data.map(({ id, converted }) => [id, converted])).toEqual([
        [draft, null],
        [one, 1],
      ]);
      expect(data[1]).toMatchObject({ sent: 2, accepted: 2, bounceRate: 50, acceptRate: 50, value: null });
      expect(data[0]?.curve, `${round}`).toEqual([]);
      expect(data[1]?.curve.map(({ opened: count }) => count)).toEqual([2, 0, 0, 1, 0, 0]);
      await foldFigures(test.services);
    }
  });

  it('end after 73 hours', async () => {
    const id = await campaignOf({ sentAt: new Date(Date.now() - 100 * hourMs) });
    const { data } = await compare(id, await campaignOf());
    expect(data[0]?.curve).toHaveLength(73);
    expect(data[0]?.curve.at(-1)).toEqual({ hour: 72, opened: 0, clicked: 0 });
  });

  it('are two to ten of the project', async () => {
    const id = await campaignOf();
    for (const ids of [[id], [id, id], Array.from({ length: 11 }, newId), [id, 'x']])
      await expect(compare(...ids)).rejects.toMatchObject({
        code: 'VALIDATION_ERROR',
        errors: [expect.objectContaining({ field: 'campaignIds' })],
      });
    const other = await createTestProject(test.services);
    const theirs = await sendingCampaign(test.services, other.id);
    await expect(compare(id, theirs)).rejects.toMatchObject({ code: 'CAMPAIGN_NOT_FOUND' });
    await expect(compare(id, newId())).rejects.toMatchObject({ code: 'CAMPAIGN_NOT_FOUND' });
  });
});

it('a breakdown by campaign has the emails of the period, most sent first, and the period before', async () => {
  const [few, many] = [await campaignOf({ name: 'Few' }), await campaignOf({ name: 'Many' })];
  await campaignOf({ name: 'Nothing' });
  await opened(few, 1);
  for (const hours of [1, 2]) await opened(many, hours);
  const read = async (from: Date, to: Date) => {
    const { data } = await getBreakdown.run(project.ctx, {
      by: 'campaign',
      from,
      to,
      compare: true,
      limit: 20,
    });
    return data.map(({ key, name, sent, opened: count, previous }) => [
      key,
      name,
      sent,
      count,
      previous?.sent,
    ]);
  };
  const end = new Date(sentAt.getTime() + 4 * hourMs);
  for (const _ of [1, 2]) {
    expect(await read(new Date(end.getTime() - 24 * hourMs), end)).toEqual([
      [many, 'Many', 2, 2, 0],
      [few, 'Few', 1, 1, 0],
    ]);
    const fromNext = new Date(sentAt.getTime() + 900_000);
    expect(await read(fromNext, new Date(fromNext.getTime() + 2 * hourMs))).toEqual([
      [few, 'Few', 0, 1, 1],
      [many, 'Many', 0, 2, 2],
    ]);
    await foldFigures(test.services);
  }
});
