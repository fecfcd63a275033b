import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createSegment } from '../../audience/segments/index.ts';
import { newId } from '../../base/lib/index.ts';
import {
  createTestProject,
  createTestServices,
  type TestProject,
  type TestServices,
  verifiedDomain,
} from '../../testing/index.ts';
import { content, people, withoutHints } from '../campaigns/campaigns.fixture.ts';
import { createCampaign, freezeAudience, sendCampaign } from '../campaigns/index.ts';
import { listCalendar } from './list-calendar.ts';

let test: TestServices;
let project: TestProject;

beforeAll(async () => {
  test = withoutHints(await createTestServices());
});
afterAll(() => test.close());
beforeEach(async () => {
  project = await createTestProject(test.services);
  await verifiedDomain(test.services, project.id, 'shop.test');
});

const prisma = () => test.services.database.prisma;
const inBerlin = () =>
  prisma().project.update({ where: { id: project.id }, data: { timeZone: 'Europe/Berlin' } });

/** A campaign that has started, or is scheduled, at this time. */
async function campaignAt(at: string, fields: object = {}): Promise<string> {
  const { id } = await createCampaign.run(project.ctx, { ...content, audienceType: 'ALL' });
  const isAhead = Date.parse(at) > Date.now();
  await prisma().campaign.update({
    where: { id },
    data: {
      name: at,
      ...(isAhead ? { status: 'SCHEDULED', scheduledFor: at } : { status: 'SENT', sentAt: at }),
      ...fields,
    },
  });
  return id;
}

const scheduled = (cron: string, timezone = 'UTC', config: object = {}): Promise<{ id: string }> =>
  prisma().workflow.create({
    data: {
      ...{ id: newId(), projectId: project.id, name: cron, enabled: true, triggerType: 'SCHEDULE' },
      triggerConfig: { cron, timezone, ...config },
    },
    select: { id: true },
  });

const namesOf = async (input: object) =>
  (await listCalendar.run(project.ctx, input)).items.map(({ name }) => name);

describe('the calendar', () => {
  it('has what starts, or has started, in the days of the zone: one of 23 hours too, and nothing of the days beside it', async () => {
    await inBerlin();
    // Clocks go forward on March 29, 2099, and on March 30, 2025.
    const inside = ['2099-03-28T23:00:00.000Z', '2099-03-29T21:59:59.999Z'];
    for (const at of [...inside, '2099-03-28T22:59:59.999Z', '2099-03-29T22:00:00.000Z'])
      await campaignAt(at);
    const past = ['2025-03-29T23:00:00.000Z', '2025-03-30T21:59:59.999Z'];
    for (const at of [...past, '2025-03-29T22:59:59.999Z', '2025-03-30T22:00:00.000Z']) await campaignAt(at);
    expect(await namesOf({ from: '2099-03-29', to: '2099-03-29' })).toEqual(inside);
    expect(await namesOf({ from: '2025-03-30', to: '2025-03-30' })).toEqual(past);
    expect(await namesOf({ from: '2099-03-29', to: '2099-03-29', tz: 'UTC' })).toEqual([
      '2099-03-29T21:59:59.999Z',
      '2099-03-29T22:00:00.000Z',
    ]);
    expect(await namesOf({ from: inside[0], to: inside[1] })).toEqual([inside[0]]);
  });

  it('says of each what it is, for whom, and how many', async () => {
    const { id: segmentId } = await createSegment.run(project.ctx, { name: 'Gold', type: 'STATIC' });
    const ids = [
      await campaignAt('2099-01-01T08:00:00.000Z', { totalRecipients: 5 }),
      await campaignAt('2099-01-01T09:00:00.000Z', { audienceType: 'SEGMENT', segmentId }),
      await campaignAt('2099-01-01T10:00:00.000Z', {
        audienceType: 'FILTERED',
        status: 'DRAFT',
        scheduledFor: null,
      }),
    ];
    const { id: flow } = await scheduled('30 8 1 1 *', 'UTC', { segmentId });
    await scheduled('31 8 1 1 *', 'UTC', { filter: {} });
    const paused = await scheduled('32 8 1 1 *');
    await prisma().workflow.update({ where: { id: paused.id }, data: { enabled: false } });
    const { items, truncated } = await listCalendar.run(project.ctx, {
      from: '2099-01-01',
      to: '2099-01-01',
    });
    expect(truncated).toBe(false);
    expect(items).toEqual([
      expect.objectContaining({
        ...{
          kind: 'campaign',
          id: ids[0],
          status: 'SCHEDULED',
          recipients: 5,
          audience: 'All contacts',
          localTime: null,
        },
      }),
      expect.objectContaining({
        ...{
          kind: 'schedule',
          id: flow,
          at: '2099-01-01T08:30:00.000Z',
          status: 'ENABLED',
          recipients: null,
          audience: 'Gold',
        },
      }),
      expect.objectContaining({ kind: 'schedule', at: '2099-01-01T08:31:00.000Z', audience: 'Filter' }),
      expect.objectContaining({ kind: 'campaign', id: ids[1], audience: 'Gold' }),
    ]);
  });

  it('has the waves that are still to come, of a campaign that is being sent', async () => {
    await people(test, project, 2, { data: { timezone: 'Etc/GMT+12' } });
    await people(test, project, 3, { data: { timezone: 'Pacific/Kiritimati' } });
    const { id } = await createCampaign.run(project.ctx, { ...content, audienceType: 'ALL' });
    // Over in the east, where it is at once, and not in the west.
    const localTime = new Date(Date.now()).toISOString().slice(0, 16);
    await sendCampaign.run(project.ctx, { id, localTime, whenPassed: 'NOW' });
    await freezeAudience(test.services, id);
    const { items } = await listCalendar.run(project.ctx, {});
    const west = new Date(Date.parse(`${localTime}:00Z`) + 12 * 3_600_000).toISOString();
    expect(items.map(({ kind, recipients }) => [kind, recipients])).toEqual([
      ['campaign', 5],
      ['wave', 2],
    ]);
    expect(items[1]).toMatchObject({
      id,
      at: west,
      status: 'SENDING',
      localTime: { at: localTime, whenPassed: 'NOW' },
    });
  });

  it('has the ends of tests that run', async () => {
    const at = '2099-01-02T08:00:00.000Z';
    const running = {
      ...{ status: 'SENDING', scheduledFor: null, totalRecipients: 7, testEndsAt: at },
      test: { variants: [{ subject: 'B' }], sample: 20, metric: 'CLICKS', hours: 4, decide: 'AUTOMATIC' },
    };
    const id = await campaignAt(at, { ...running, testState: 'RUNNING' });
    await campaignAt(at, { ...running, testState: 'DECIDED' });
    await campaignAt(at, { ...running, testState: 'RUNNING', status: 'CANCELLED' });
    const { items } = await listCalendar.run(project.ctx, { from: '2099-01-02', to: '2099-01-02' });
    expect(items).toEqual([
      expect.objectContaining({ kind: 'decision', id, at, status: 'SENDING', recipients: 7 }),
    ]);
  });

  it('has the times of schedules from now on, by their own clocks', async () => {
    await scheduled('0 9 * * *', 'Europe/Berlin');
    const day = '2099-03-29';
    const { items } = await listCalendar.run(project.ctx, { from: '2099-03-28', to: day, tz: 'UTC' });
    expect(items.map(({ at }) => at)).toEqual(['2099-03-28T08:00:00.000Z', '2099-03-29T07:00:00.000Z']);
    expect(await namesOf({ from: '2025-03-28', to: '2025-03-30' })).toEqual([]);
  });

  it('lists 1,000 at most, campaigns before schedules, in less than 300 ms of this process', async () => {
    const rows = Array.from({ length: 990 }, (_, n) => ({
      ...{ id: newId(), projectId: project.id, ...content, name: `n${n}`, audienceType: 'ALL' as const },
      ...{ status: 'SCHEDULED' as const, scheduledFor: new Date(Date.UTC(2099, 4, 1) + n * 60_000) },
    }));
    await prisma().campaign.createMany({ data: rows });
    const period = { from: '2099-05-01', to: '2099-05-31' };
    expect(await listCalendar.run(project.ctx, period)).toMatchObject({ truncated: false });
    await scheduled('* * * * *');
    await scheduled('*/5 * * * *', 'America/New_York');
    // Not what other tests take of the machine meanwhile.
    const before = process.cpuUsage();
    const { items, truncated } = await listCalendar.run(project.ctx, period);
    const { user, system } = process.cpuUsage(before);
    expect((user + system) / 1_000).toBeLessThan(300);
    expect([items.length, truncated]).toEqual([1_000, true]);
    expect(items.filter(({ kind }) => kind === 'campaign')).toHaveLength(990);
    await prisma().campaign.createMany({ data: rows.slice(0, 11).map((row) => ({ ...row, id: newId() })) });
    const full = await listCalendar.run(project.ctx, period);
    expect([full.items.length, full.truncated]).toEqual([1_000, true]);
    expect(full.items.every(({ kind }) => kind === 'campaign')).toBe(true);
  });

  it.each([
    [{ from: '2099-01-02', to: '2098-12-31' }, 'to'],
    [{ from: '2099-01-01', to: '2099-04-03' }, 'to'],
  ])('%j is 422', async (input, field) => {
    await expect(listCalendar.run(project.ctx, input)).rejects.toMatchObject({
      code: 'VALIDATION_ERROR',
      errors: [expect.objectContaining({ field, code: 'invalid_range' })],
    });
  });

  it('takes 92 days, also where clocks go back within them, and has nothing of another project', async () => {
    await inBerlin();
    expect(await namesOf({ from: '2099-09-01', to: '2099-12-01' })).toEqual([]);
    await campaignAt('2099-09-02T08:00:00.000Z');
    await scheduled('0 9 2 9 *');
    const other = await createTestProject(test.services);
    expect(await listCalendar.run(other.ctx, { from: '2099-09-01', to: '2099-12-01' })).toEqual({
      items: [],
      truncated: false,
    });
  });
});
