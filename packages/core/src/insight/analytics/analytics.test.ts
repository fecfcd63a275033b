import fc, { runs } from '@postrider/vitest/fast-check.ts';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { trackEvent } from '../../audience/events/index.ts';
import { newId } from '../../base/lib/index.ts';
import {
  createTestProject,
  createTestServices,
  type TestProject,
  type TestServices,
} from '../../testing/index.ts';
import { sendingCampaign } from '../../testing/mail.ts';
import { getCampaignAnalytics, getTimeseries, listTopCampaigns, listTopEvents } from './index.ts';

let test: TestServices;
let project: TestProject;
beforeAll(async () => {
  test = await createTestServices();
});
afterAll(() => test.close());
beforeEach(async () => {
  project = await createTestProject(test.services);
});

type Source = 'TRANSACTIONAL' | 'CAMPAIGN' | 'WORKFLOW' | 'TEST' | 'SYSTEM';
const facts = ['sent', 'delivered', 'opened', 'clicked', 'bounced', 'complained'] as const;
type Times = { [Fact in (typeof facts)[number] as `${Fact}At`]?: Date | null };

async function email(times: Times = {}, sourceType: Source = 'TRANSACTIONAL', of = project): Promise<string> {
  const id = newId();
  await test.services.database.prisma.email.create({
    data: {
      id,
      projectId: of.id,
      to: 'ada@people.test',
      type: 'TRANSACTIONAL',
      sourceType,
      contentId: newId(),
      ...times,
    },
  });
  return id;
}

const update = (ids: string[], times: Times) =>
  test.services.database.prisma.email.updateMany({ where: { id: { in: ids } }, data: times });

const seriesOf = async (input: Parameters<typeof getTimeseries.run>[1], of = project) => {
  const { data } = await getTimeseries.run(of.ctx, input);
  return data
    .filter(({ bucket: _, ...counts }) => Object.values(counts).some((count) => count !== 0))
    .map(({ bucket, ...counts }) => [bucket, ...facts.map((fact) => counts[fact])]);
};

const march = { from: '2026-03-01', to: '2026-03-31' };
const at = (text: string) => new Date(text);

describe('the time series', () => {
  it('counts an email at the time of each fact', async () => {
    const id = await email();
    await update([id], { sentAt: at('2026-03-01T10:00:00Z') });
    await update([id], { openedAt: at('2026-03-02T10:00:00Z'), clickedAt: at('2026-03-02T10:20:00Z') });
    await update([id], { complainedAt: at('2026-03-05T23:59:59.999Z') });
    expect(await seriesOf(march)).toEqual([
      ['2026-03-01', 1, 0, 0, 0, 0, 0],
      ['2026-03-02', 0, 0, 1, 1, 0, 0],
      ['2026-03-05', 0, 0, 0, 0, 0, 1],
    ]);
  });

  it('counts what is inserted with its times, and takes back what did not happen', async () => {
    const id = await email({ sentAt: at('2026-03-01T10:00:00Z') });
    await email({ deliveredAt: at('2026-03-01T10:00:00Z') });
    await update([id], { sentAt: null, bouncedAt: at('2026-03-03T00:00:00Z') });
    expect(await seriesOf(march)).toEqual([
      ['2026-03-01', 0, 1, 0, 0, 0, 0],
      ['2026-03-03', 0, 0, 0, 0, 1, 0],
    ]);
  });

  it.each(['TEST', 'SYSTEM'] as const)('never counts %s email', async (source) => {
    await update([await email({ sentAt: at('2026-03-01T10:00:00Z') }, source)], {
      openedAt: at('2026-03-01T10:00:00Z'),
    });
    expect(await seriesOf(march)).toEqual([]);
  });

  it('contains nothing of another project', async () => {
    await email({ sentAt: at('2026-03-01T10:00:00Z') });
    expect(await seriesOf(march, await createTestProject(test.services))).toEqual([]);
  });

  it('has a row for every day, also for empty ones', async () => {
    const { granularity, data } = await getTimeseries.run(project.ctx, march);
    expect(granularity).toBe('day');
    expect(data.map(({ bucket }) => bucket)).toEqual(
      Array.from({ length: 30 }, (_, day) => `2026-03-${String(day + 1).padStart(2, '0')}`),
    );
    expect(data[0]).toEqual({
      bucket: '2026-03-01',
      sent: 0,
      delivered: 0,
      opened: 0,
      clicked: 0,
      bounced: 0,
      refused: 0,
      complained: 0,
    });
  });

  it('is hourly for up to two days unless another granularity is asked for', async () => {
    const twoDays = { from: '2026-03-01', to: '2026-03-03' };
    const { granularity, data } = await getTimeseries.run(project.ctx, twoDays);
    expect([granularity, data.length, data.at(0)?.bucket]).toEqual(['hour', 48, '2026-03-01T00:00']);
    const longer = await getTimeseries.run(project.ctx, { from: '2026-03-01', to: '2026-03-03T00:00:01Z' });
    expect(longer.granularity).toBe('day');
    const asked = await getTimeseries.run(project.ctx, { ...twoDays, granularity: 'day' });
    expect(asked.data).toHaveLength(2);
  });

  it('covers the last 30 days by default', async () => {
    await email({ sentAt: new Date() });
    await email({ sentAt: new Date(Date.now() - 31 * 86_400_000) });
    const { data } = await getTimeseries.run(project.ctx, {});
    expect(data.length).toBeGreaterThanOrEqual(30);
    expect(data.at(-1)?.sent).toBe(1);
    expect(data.reduce((total, { sent }) => total + sent, 0)).toBe(1);
  });

  it('has days and hours of the zone of the reader, whatever its offset', async () => {
    await email({ sentAt: at('2026-03-01T18:20:00Z') });
    await email({ sentAt: at('2026-03-01T18:40:00Z') });
    const hours = { ...march, granularity: 'hour' as const };
    expect(await seriesOf({ ...march, tz: 'Asia/Kolkata' })).toEqual([
      ['2026-03-01', 1, 0, 0, 0, 0, 0],
      ['2026-03-02', 1, 0, 0, 0, 0, 0],
    ]);
    expect((await seriesOf({ ...hours, tz: 'asia/kathmandu' })).map(([bucket]) => bucket)).toEqual([
      '2026-03-02T00:00',
    ]);
    expect((await seriesOf({ ...hours, tz: 'America/St_Johns' })).map(([bucket]) => bucket)).toEqual([
      '2026-03-01T14:00',
      '2026-03-01T15:00',
    ]);
  });

  it('adds up the hour that the end of daylight saving time repeats', async () => {
    await email({ sentAt: at('2026-10-25T00:30:00Z') });
    await email({ sentAt: at('2026-10-25T01:30:00Z') });
    const day = { from: '2026-10-24T22:00:00Z', to: '2026-10-25T23:00:00Z', tz: 'Europe/Berlin' };
    expect(await seriesOf(day)).toEqual([['2026-10-25T02:00', 2, 0, 0, 0, 0, 0]]);
  });
});

describe('422 VALIDATION_ERROR', () => {
  const operations = [getTimeseries, listTopCampaigns, getCampaignAnalytics, listTopEvents];
  const refusals: [string, Record<string, unknown>, { field: string; code: string }][] = [
    ['a date that does not exist', { from: '2026-02-30' }, { field: 'from', code: 'invalid_date' }],
    [
      'a period that ends before it starts',
      { from: '2026-03-02', to: '2026-03-01' },
      { field: 'from', code: 'invalid_range' },
    ],
    ['more than 90 days', { from: '2026-03-01', to: '2026-06-01' }, { field: 'from', code: 'invalid_range' }],
    ['more than 90 days until now', { from: '2020-01-01' }, { field: 'from', code: 'invalid_range' }],
    ['an unknown zone', { tz: 'Mars/Olympus' }, { field: 'tz', code: 'invalid_timezone' }],
    ['an offset', { tz: '+02:00' }, { field: 'tz', code: 'invalid_timezone' }],
  ];
  for (const operation of operations) {
    it.each(refusals)(`${operation.name}: %s`, async (_what, input, error) => {
      await expect(operation.runRaw(project.ctx, input)).rejects.toMatchObject({
        code: 'VALIDATION_ERROR',
        errors: [error],
      });
    });
  }

  it.each([
    [getTimeseries, 'granularity'],
    [listTopCampaigns, 'metric'],
  ])('%#: an unknown value of an enum', async (operation, field) => {
    await expect(operation.runRaw(project.ctx, { [field]: 'week' })).rejects.toMatchObject({
      errors: [{ field, code: 'invalid_enum_value' }],
    });
  });
});

describe('the counts kept beside the emails', () => {
  const quarter = fc.integer({ min: 0, max: 5 });
  const times = fc.record(
    Object.fromEntries(facts.map((fact) => [`${fact}At`, fc.option(quarter)])) as Record<
      keyof Times,
      fc.Arbitrary<number | null>
    >,
    { requiredKeys: [] },
  );
  const change = fc.record({
    emails: fc.uniqueArray(fc.integer({ min: 0, max: 5 }), { minLength: 1 }),
    times,
  });
  const source = fc.constantFrom<Source[]>('TRANSACTIONAL', 'CAMPAIGN', 'WORKFLOW', 'TEST', 'SYSTEM');
  const start = Date.parse('2026-03-01T00:00:00Z');
  const dated = (quarters: Partial<Record<keyof Times, number | null>>): Times =>
    Object.fromEntries(
      Object.entries(quarters).map(([name, value]) => [
        name,
        value === null ? null : new Date(start + value * 600_000),
      ]),
    );

  it('equal the counts of the rows after any inserts and updates, also of writers at the same time', async () => {
    const { prisma } = test.services.database;
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.tuple(source, times), { minLength: 6, maxLength: 6 }),
        fc.array(fc.array(change, { minLength: 1, maxLength: 4 }), { maxLength: 5 }),
        async (inserted, rounds) => {
          const of = await createTestProject(test.services);
          const ids = await Promise.all(
            inserted.map(([sourceType, quarters]) => email(dated(quarters), sourceType, of)),
          );
          for (const round of rounds) {
            // Each round's writers take different emails, so that they run at the same time without waiting for one another.
            const taken = new Set<number>();
            const writes = round.map(({ emails, times: changed }) => {
              const mine = emails.filter((index) => !taken.has(index));
              for (const index of mine) taken.add(index);
              return update(
                mine.map((index) => ids[index] ?? ''),
                dated(changed),
              );
            });
            await Promise.all(writes);
          }
          const counted = await prisma.$queryRaw`
            SELECT "at", "source" AS "sourceType", sum("sent")::int AS "sent", sum("delivered")::int AS "delivered", sum("opened")::int AS "opened",
              sum("clicked")::int AS "clicked", sum("bounced")::int AS "bounced", sum("complained")::int AS "complained"
            FROM "FigureEntry" WHERE "projectId" = ${of.id}::uuid GROUP BY 1, 2
            HAVING (sum("sent"), sum("delivered"), sum("opened"), sum("clicked"), sum("bounced"), sum("complained")) <> (0, 0, 0, 0, 0, 0)
            ORDER BY 1, 2`;
          const rows = await prisma.$queryRaw`
            SELECT date_bin('15 minutes', f."at", 'epoch') AS "at", e."sourceType", count(*) FILTER (WHERE f.fact = 'sent')::int AS "sent",
              count(*) FILTER (WHERE f.fact = 'delivered')::int AS "delivered", count(*) FILTER (WHERE f.fact = 'opened')::int AS "opened",
              count(*) FILTER (WHERE f.fact = 'clicked')::int AS "clicked", count(*) FILTER (WHERE f.fact = 'bounced')::int AS "bounced",
              count(*) FILTER (WHERE f.fact = 'complained')::int AS "complained"
            FROM "Email" e CROSS JOIN LATERAL (VALUES ('sent', "sentAt"), ('delivered', "deliveredAt"), ('opened', "openedAt"),
              ('clicked', "clickedAt"), ('bounced', "bouncedAt"), ('complained', "complainedAt")) f(fact, "at")
            WHERE e."projectId" = ${of.id}::uuid AND e."sourceType" NOT IN ('TEST', 'SYSTEM') AND f."at" IS NOT NULL
            GROUP BY 1, 2 ORDER BY 1, 2`;
          expect(counted).toEqual(rows);
        },
      ),
      { numRuns: runs(12) },
    );
  });

  it('do not make a writer wait for another one', async () => {
    const { prisma } = test.services.database;
    const [first, second] = [await email(), await email()];
    const sentAt = at('2026-03-01T10:00:00Z');
    await prisma.$transaction(async (open) => {
      await open.email.update({ where: { id: first }, data: { sentAt } });
      await update([second], { sentAt });
      expect(await seriesOf(march)).toEqual([['2026-03-01', 1, 0, 0, 0, 0, 0]]);
    });
    expect(await seriesOf(march)).toEqual([['2026-03-01', 2, 0, 0, 0, 0, 0]]);
  });
});

interface CampaignRow {
  name: string;
  sentAt: Date | null;
  counts?: Partial<
    Record<'sentCount' | 'openedCount' | 'clickedCount' | 'bouncedCount' | 'unsubscribedCount', number>
  >;
}

async function campaign({ name, sentAt, counts = {} }: CampaignRow): Promise<void> {
  const { prisma } = test.services.database;
  const id = await sendingCampaign(test.services, project.id);
  await prisma.campaign.update({ where: { id }, data: { name, sentAt } });
  await prisma.campaignCounter.update({ where: { campaignId: id }, data: counts });
}

async function threeCampaigns(): Promise<void> {
  await campaign({
    name: 'first',
    sentAt: at('2026-03-01T00:00:00Z'),
    counts: { sentCount: 3, openedCount: 1 },
  });
  await campaign({
    name: 'second',
    sentAt: at('2026-03-02T00:00:00Z'),
    counts: { sentCount: 3, openedCount: 2, clickedCount: 1 },
  });
  await campaign({
    name: 'third',
    sentAt: at('2026-03-03T00:00:00Z'),
    counts: { openedCount: 1, unsubscribedCount: 1 },
  });
  await campaign({ name: 'before', sentAt: at('2026-02-28T23:59:59Z'), counts: { sentCount: 9 } });
  await campaign({ name: 'draft', sentAt: null });
}

describe('the top campaigns', () => {
  const namesBy = async (metric?: 'opens' | 'clicks' | 'sent', limit = 10) =>
    (await listTopCampaigns.run(project.ctx, { ...march, metric, limit })).data.map(({ name }) => name);

  it('are ordered by the metric, then the latest first', async () => {
    await threeCampaigns();
    expect(await namesBy()).toEqual(['second', 'third', 'first']);
    expect(await namesBy('clicks')).toEqual(['second', 'third', 'first']);
    expect(await namesBy('sent')).toEqual(['second', 'first', 'third']);
    expect(await namesBy('sent', 1)).toEqual(['second']);
  });

  it('have their figures and rates', async () => {
    await threeCampaigns();
    expect((await listTopCampaigns.run(project.ctx, march)).data[0]).toEqual({
      id: expect.any(String),
      name: 'second',
      subject: 'Hello',
      sentCount: 3,
      openedCount: 2,
      clickedCount: 1,
      bouncedCount: 0,
      openRate: 66.67,
      clickRate: 33.33,
      sentAt: '2026-03-02T00:00:00.000Z',
    });
  });

  it('are none of another project', async () => {
    await threeCampaigns();
    const other = await createTestProject(test.services);
    expect((await listTopCampaigns.run(other.ctx, march)).data).toEqual([]);
  });
});

describe('the figures of campaigns', () => {
  it('are those of the period, together and one by one, newest first', async () => {
    await threeCampaigns();
    const { totals, campaigns } = await getCampaignAnalytics.run(project.ctx, march);
    expect(totals).toEqual({
      campaigns: 3,
      sentCount: 6,
      acceptedCount: 6,
      refusedCount: 0,
      deliveredCount: 0,
      openedCount: 4,
      clickedCount: 1,
      bouncedCount: 0,
      complainedCount: 0,
      unsubscribedCount: 1,
      deliveryReported: false,
      openRate: 66.67,
      clickRate: 16.67,
      clickToOpenRate: 25,
      bounceRate: 0,
      acceptRate: 100,
      deliveryRate: 0,
      complaintRate: 0,
      unsubscribeRate: 16.67,
    });
    expect(campaigns.map(({ name, status, openRate }) => [name, status, openRate])).toEqual([
      ['third', 'SENDING', 0],
      ['second', 'SENDING', 66.67],
      ['first', 'SENDING', 33.33],
    ]);
    expect(Object.keys(campaigns[0] ?? {})).not.toContain('subject');
  });

  it('are at most 100 rows, with totals of all', async () => {
    for (let index = 0; index < 101; index += 1)
      await campaign({ name: 'one', sentAt: at('2026-03-02T00:00:00Z'), counts: { sentCount: 1 } });
    const { totals, campaigns } = await getCampaignAnalytics.run(project.ctx, march);
    expect([totals.campaigns, totals.sentCount, campaigns.length]).toEqual([101, 101, 100]);
  });

  it('are zeros without campaigns', async () => {
    const { totals, campaigns } = await getCampaignAnalytics.run(project.ctx, march);
    expect([totals.campaigns, totals.sentCount, totals.openRate, campaigns]).toEqual([0, 0, 0, []]);
  });
});

describe('the top events', () => {
  it('are the most frequent names of custom events', async () => {
    for (const event of ['viewed', 'bought', 'viewed', 'viewed'])
      await trackEvent.run(project.publicCtx, { email: 'ada@people.test', event });
    await test.services.database.prisma.event.createMany({
      data: Array.from({ length: 5 }, () => ({
        id: newId(),
        projectId: project.id,
        kind: 'SYSTEM',
        name: 'email.sent',
      })),
    });
    expect((await listTopEvents.run(project.ctx, {})).data).toEqual([
      { name: 'viewed', count: 3 },
      { name: 'bought', count: 1 },
    ]);
    expect((await listTopEvents.run(project.ctx, { limit: 1 })).data).toEqual([{ name: 'viewed', count: 3 }]);
    expect((await listTopEvents.run(project.ctx, march)).data).toEqual([]);
  });
});
