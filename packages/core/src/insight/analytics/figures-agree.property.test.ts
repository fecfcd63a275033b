import fc, { runs } from '@postrider/vitest/fast-check.ts';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { deleteContact } from '../../audience/contacts/index.ts';
import { frozenCampaign, withoutHints } from '../../automation/campaigns/campaigns.fixture.ts';
import {
  cancelCampaign,
  createCampaign,
  getCampaign,
  getCampaignStats,
  getStatsOfCampaigns,
  listCampaigns,
  pauseCampaign,
  resumeCampaign,
  retryCampaign,
} from '../../automation/campaigns/index.ts';
import { Prisma } from '../../base/db/index.ts';
import { AppError } from '../../base/kernel/index.ts';
import { newId } from '../../base/lib/index.ts';
import type { BatchResult } from '../../mail/ledger/batch.ts';
import { openTestLedger, type TestLedger } from '../../mail/ledger/ledger.fixture.ts';
import { encodeLink } from '../../mail/message/index.ts';
import { applyDeliveryNews } from '../../mail/news/index.ts';
import type { DeliveryNews } from '../../mail/news/news.rules.ts';
import { changePreferences } from '../../mail/tracking/change-preferences.ts';
import { judgeClicks } from '../../mail/tracking/index.ts';
import { storeInteractions } from '../../mail/tracking/interactions.store.ts';
import { type TestProject, type TestServices, verifiedDomain } from '../../testing/index.ts';
import { sources } from '../exports/sources.ts';
import {
  compareCampaigns,
  foldFigures,
  getBreakdown,
  getCampaignAnalytics,
  getCampaignReport,
  getTimeseries,
} from './index.ts';

/**
 * The promise of the figures: whatever happens to the emails of a campaign, in whatever order, every place that shows a figure shows the number of
 * rows that its definition counts (behaviour B13.10).
 */
let ledger: TestLedger;
let test: TestServices;

beforeAll(async () => {
  ledger = await openTestLedger();
  test = withoutHints(ledger.test);
});
afterAll(() => ledger.close());

const prisma = () => test.services.database.prisma;

interface History {
  project: TestProject;
  campaignId: string;
  emailIds: string[];
  /** a campaign that is not sent */
  second: string;
}

type Step = { name: string; run: (history: History) => Promise<void> };

/** A step with the text that a counterexample shows. */
function step<Values extends unknown[]>(
  weight: number,
  name: string,
  values: { [Key in keyof Values]: fc.Arbitrary<Values[Key]> },
  run: (history: History, ...values: Values) => Promise<void>,
) {
  return {
    weight,
    arbitrary: fc.tuple<Values>(...values).map(
      (drawn): Step => ({
        name: [name, ...drawn].join(' '),
        run: (history) => run(history, ...drawn),
      }),
    ),
  };
}

const results: Record<string, BatchResult> = {
  sent: { outcome: 'sent' },
  failed: { outcome: 'failed', error: '550 no' },
  refused: { outcome: 'failed', error: '550 5.1.1', hardBounce: true },
  uncertain: { outcome: 'uncertain', error: 'lost' },
  'refused for now': { outcome: 'retry', error: '451', waitMs: 60_000 },
};

const pick = fc.nat({ max: 40 });

/** Refusals of an operation are outcomes like any other. */
async function attempt(work: Promise<unknown>): Promise<void> {
  try {
    await work;
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
  }
}

async function settle({ project, campaignId }: History, count: number, result: string): Promise<void> {
  const { status, pausedAt } = await prisma().campaign.findUniqueOrThrow({ where: { id: campaignId } });
  if (status !== 'SENDING' || pausedAt) return;
  await prisma().deliveryBatch.updateMany({
    where: { projectId: project.id, token: null },
    data: { nextAttemptAt: new Date() },
  });
  for (const held of await ledger.take(project.id, { kind: 'bulk', maxEmails: count }))
    await held.settle(results[result] ?? { outcome: 'sent' });
}

const idAt = ({ emailIds }: History, at: number): string => emailIds[at % emailIds.length] ?? '';

async function report(history: History, at: number, kind: string): Promise<void> {
  const news = { key: newId(), emailId: idAt(history, at), at: new Date(), isProven: true, detail: null };
  const given = (
    kind === 'bounce'
      ? {
          ...{ ...news, kind, bounceType: 'Permanent' },
          diagnosis: { class: 'no_mailbox', code: null, reply: 550, text: 'no such user' },
        }
      : { ...news, kind }
  ) as DeliveryNews;
  await applyDeliveryNews(test.services, given);
}

async function interact(history: History, at: number, type: 'open' | 'click', bot: boolean): Promise<void> {
  await storeInteractions(test.services.database.grouped, [
    {
      id: newId(),
      type,
      emailId: idAt(history, at),
      link: type === 'click' ? 'https://shop.test/' : null,
      bot,
      client: bot ? 'Machine' : 'Thunderbird',
      device: bot ? 'other' : 'desktop',
      receivedAt: performance.now(),
      times: 1,
    },
  ]);
  await judgeClicks(test.services, { waitMs: 0 });
}

async function optOut(history: History, at: number, action: 'unsubscribe' | 'snooze'): Promise<void> {
  const email = await prisma().email.findUniqueOrThrow({ where: { id: idAt(history, at) } });
  // Only an email that was sent has shown its links to a person.
  if (email.contactId === null || email.sentAt === null) return;
  const token = encodeLink(test.services.secrets, {
    kind: 'preferences',
    contactId: email.contactId,
    emailId: email.id,
  });
  const anyone = { ...history.project.ctx, actor: { type: 'anonymous' as const }, project: null };
  const choice = action === 'snooze' ? { action, duration: '1m' as const } : { action };
  await attempt(changePreferences.run(anyone, { ...choice, token, source: 'page' }));
}

async function erase(history: History, at: number): Promise<void> {
  const email = await prisma().email.findUniqueOrThrow({ where: { id: idAt(history, at) } });
  if (email.contactId) await attempt(deleteContact.run(history.project.ctx, { id: email.contactId }));
}

const steps = fc.oneof(
  step(14, 'settle', [fc.integer({ min: 1, max: 6 }), fc.constantFrom(...Object.keys(results))], settle),
  step(8, 'report', [pick, fc.constantFrom('delivered', 'bounce', 'complaint', 'rejected', 'sent')], report),
  step(10, 'interact', [pick, fc.constantFrom('open' as const, 'click' as const), fc.boolean()], interact),
  step(3, 'opt out', [pick, fc.constantFrom('unsubscribe' as const, 'snooze' as const)], optOut),
  step(3, 'erase', [pick], erase),
  step(3, 'retry', [], ({ project, campaignId: id }) =>
    attempt(retryCampaign.run(project.ctx, { id, statuses: ['FAILED', 'UNCERTAIN'] })),
  ),
  step(1, 'pause', [], ({ project, campaignId: id }) => attempt(pauseCampaign.run(project.ctx, { id }))),
  step(2, 'resume', [], ({ project, campaignId: id }) => attempt(resumeCampaign.run(project.ctx, { id }))),
  step(1, 'cancel', [], ({ project, campaignId: id }) => attempt(cancelCampaign.run(project.ctx, { id }))),
  step(2, 'add up', [], async () => {
    await foldFigures(test.services);
  }),
);

const hosts = ['gmail.com', 'hotmail.com', 'firm.test'];

async function begin(): Promise<History> {
  const project = await ledger.newProject();
  await verifiedDomain(test.services, project.id, 'shop.test');
  await prisma().contact.createMany({
    data: Array.from({ length: 12 }, (_, index) => {
      const id = newId();
      const email = `${id}@${hosts[index % hosts.length]}`;
      return { id, projectId: project.id, email, subscribed: index !== 0, consentBasis: 'given' as const };
    }),
  });
  const campaignId = await frozenCampaign(test, project, { holdout: 20, guard: false, type: 'MARKETING' });
  const emails = await prisma().email.findMany({ where: { campaignId }, orderBy: { id: 'asc' } });
  const draft = {
    name: 'Draft',
    subject: 'S',
    body: '<p>B</p>',
    from: 'team@shop.test',
    audienceType: 'ALL',
  };
  const { id: second } = (await createCampaign.runRaw(project.ctx, draft)) as { id: string };
  return { project, campaignId, second, emailIds: emails.map(({ id }) => id) };
}

/** The definitions, counted over the rows. */
async function countRows(campaignId: string) {
  const [row] = await prisma().$queryRaw<Record<string, number>[]>(Prisma.sql`
    SELECT count(*)::int AS "totalRecipients", count("sentAt")::int AS "sentCount",
      count(*) FILTER (WHERE "sentAt" IS NOT NULL AND "bouncedAt" IS NULL)::int AS "acceptedCount",
      count(*) FILTER (WHERE "bouncedAt" IS NOT NULL AND "sentAt" IS NULL)::int AS "refusedCount",
      count("deliveredAt")::int AS "deliveredCount", count("openedAt")::int AS "openedCount", count("clickedAt")::int AS "clickedCount",
      count("bouncedAt")::int AS "bouncedCount", count("complainedAt")::int AS "complainedCount",
      count(*) FILTER (WHERE "unsubscribed")::int AS "unsubscribedCount", count(*) FILTER (WHERE "status" = 'FAILED')::int AS "failedCount",
      count(*) FILTER (WHERE "status" = 'SKIPPED')::int AS "skippedCount", count(*) FILTER (WHERE "reason" = 'held_out')::int AS "heldOutCount",
      count(*) FILTER (WHERE "status" = 'UNCERTAIN')::int AS "uncertainCount",
      count(*) FILTER (WHERE "status" IN ('PENDING', 'SENDING'))::int AS "pendingCount"
    FROM "Email" WHERE "campaignId" = ${campaignId}::uuid`);
  if (!row) throw new Error('an aggregate without groups has one row');
  return row;
}

const outcomes = [
  ...[
    'sent',
    'accepted',
    'refused',
    'delivered',
    'opened',
    'clicked',
    'bounced',
    'complained',
    'unsubscribed',
  ],
] as const;
type Shown = Record<string, unknown>;

/** `sentCount` … of a reply in place of `sent` …. */
const counted = (reply: Shown): Shown =>
  Object.fromEntries(outcomes.map((outcome) => [`${outcome}Count`, reply[outcome]]));

const added = (replies: readonly Shown[]): Shown =>
  Object.fromEntries(
    outcomes.map((outcome) => [
      `${outcome}Count`,
      replies.reduce((sum, reply) => sum + Number(reply[outcome]), 0),
    ]),
  );

function expectRates(reply: Shown): void {
  for (const [name, value] of Object.entries(reply))
    if (name.endsWith('Rate') && value !== null) expect(value, name).toBeLessThanOrEqual(100);
}

const nothing = Object.fromEntries(outcomes.map((outcome) => [outcome, 0]));

async function expectAgreement(history: History): Promise<void> {
  const { project, campaignId: id, second } = history;
  const { ctx } = project;
  const rows = await countRows(id);
  const { totalRecipients = 0, sentCount = 0, failedCount = 0, skippedCount = 0, ...others } = rows;
  const { uncertainCount = 0, pendingCount = 0, ...more } = others;
  expect(sentCount + failedCount + skippedCount + uncertainCount + pendingCount).toBe(totalRecipients);
  const { pendingCount: _, ...ofCampaign } = rows;
  const { heldOutCount: __, ...ofOutcomes }: Record<string, number> = { sentCount, ...more };

  const stats = await getCampaignStats.run(ctx, { id });
  expect(stats).toMatchObject({ ...rows, deliveryReported: (rows['deliveredCount'] ?? 0) > 0 });
  expect(await getCampaign.run(ctx, { id })).toMatchObject(ofCampaign);
  const { data: listed } = await listCampaigns.runRaw(ctx, {
    status: (await getCampaign.run(ctx, { id })).status,
  });
  expect(listed.find((each) => each.id === id)).toMatchObject(ofCampaign);
  const exported = await sources.campaigns.page(ctx, { type: 'campaigns' }, null);
  expect(exported.rows.find((each) => each['id'] === id)).toMatchObject({
    ...ofCampaign,
    acceptRate: stats.acceptRate,
  });
  const ofProviders = await sources.providers.page(ctx, { type: 'providers', campaignId: id }, null);
  expect((await getStatsOfCampaigns.run(ctx, { ids: [id] }))[0]?.stats).toEqual(stats);

  const report = await getCampaignReport.run(ctx, { id });
  expect(counted(report)).toEqual(ofOutcomes);
  expect(added(report.providers)).toEqual(ofOutcomes);
  expect(added(ofProviders.rows)).toEqual(ofOutcomes);
  for (const reply of [stats, report, ...report.providers]) expectRates(reply);
  const { acceptRate, bounceRate, openRate, clickRate } = stats;
  expect(report).toMatchObject({ acceptRate, bounceRate, openRate, clickRate });

  const { data: sides } = await compareCampaigns.run(ctx, { campaignIds: `${id},${second}` });
  expect(counted(sides[0] ?? {})).toEqual(ofOutcomes);
  expect(sides[0]).toMatchObject({ acceptRate, bounceRate, openRate, clickRate });
  const [ofPeriod] = (await getBreakdown.run(ctx, { by: 'campaign', limit: 20 })).data;
  expect(counted(ofPeriod ?? nothing)).toEqual(ofOutcomes);

  const { totals, campaigns } = await getCampaignAnalytics.run(ctx, {});
  expect(totals).toMatchObject(ofOutcomes);
  expect(campaigns[0]).toMatchObject({ ...ofOutcomes, acceptRate, bounceRate });
  const { data } = await getTimeseries.runRaw(ctx, { compare: true });
  expect(data.reduce((sum, { sent }) => sum + sent, 0)).toBe(sentCount);
  for (const row of (await getBreakdown.run(ctx, { by: 'provider', limit: 20 })).data) expectRates(row);
}

it('all places show what the definitions count, after any history', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(steps, { minLength: 15, maxLength: 60 }), async (order) => {
      const history = await begin();
      for (const { run } of order) await run(history);
      await expectAgreement(history);
      await foldFigures(test.services);
      await expectAgreement(history);
    }),
    // A slow machine draws fewer.
    { numRuns: runs(12), interruptAfterTimeLimit: 60_000 },
  );
}, 240_000);
