import fc, { runs } from '@postrider/vitest/fast-check.ts';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type Db, Prisma } from '../../base/db/index.ts';
import { newId } from '../../base/lib/index.ts';
import { countersOf, openTestLedger, type TestLedger } from '../../mail/ledger/ledger.fixture.ts';
import { createEmailSweep, sweepRecipientLogs } from '../../mail/sending/index.ts';
import { storeInteractions } from '../../mail/tracking/interactions.store.ts';
import { type TestProject, type TestServices, verifiedDomain } from '../../testing/index.ts';
import { frozenCampaign, people, settleSome, withoutHints } from './campaigns.fixture.ts';
import { cancelCampaign } from './cancel-campaign.ts';
import { checkCounters, differencesOf } from './check-counters.ts';
import { detachBatch, skipBatch } from './clear-campaign.ts';
import { closeLedger } from './close-campaign.ts';
import { createSequel } from './create-sequel.ts';
import { deleteCampaign } from './delete-campaign.ts';
import { getCampaignStats } from './get-campaign-stats.ts';
import { listRecipients } from './list-recipients.ts';
import { listRecipientsOfEach } from './list-recipients-of-each.ts';
import { retryCampaign } from './retry-campaign.ts';
import { sendCampaign } from './send-campaign.ts';

let ledger: TestLedger;
let test: TestServices;
let project: TestProject;

beforeAll(async () => {
  ledger = await openTestLedger();
  test = withoutHints(ledger.test);
  Object.assign(test.services, { config: { ...test.services.config, EMAIL_DAYS: 400 } });
});
afterAll(() => ledger.close());
beforeEach(async () => {
  project = await ledger.newProject();
  await verifiedDomain(test.services, project.id, 'shop.test');
});

const prisma = () => test.services.database.prisma;

const emailsOfProject = () => prisma().email.count({ where: { projectId: project.id } });

/** @returns how many emails of the project were removed */
async function sweep(limit = 3): Promise<number> {
  const { prepare, remove } = createEmailSweep();
  const before = await emailsOfProject();
  await prepare();
  while ((await remove(test.services, new Date(), limit)) > 0);
  while ((await sweepRecipientLogs(test.services, new Date(), limit)) > 0);
  return before - (await emailsOfProject());
}

/** Makes emails of a campaign so many days older, those to these addresses. */
const age = (
  campaignId: string,
  days: number,
  to?: readonly string[],
  db: Pick<Db, '$executeRaw'> = prisma(),
): Promise<number> => {
  const those = to ? Prisma.sql`AND "to" = ANY(${[...to]}::text[])` : Prisma.empty;
  return db.$executeRaw`
    UPDATE "Email" SET "createdAt" = "createdAt" - ${days}::int * interval '1 day', "sentAt" = "sentAt" - ${days}::int * interval '1 day',
      "updatedAt" = "updatedAt" - ${days}::int * interval '1 day' WHERE "campaignId" = ${campaignId}::uuid ${those}`;
};

async function openEmail({ services }: TestServices, emailId: string): Promise<void> {
  const open = {
    id: newId(),
    type: 'open' as const,
    emailId,
    link: null,
    bot: false,
    client: '',
    device: '',
  };
  await storeInteractions(services.database.grouped, [{ ...open, receivedAt: performance.now(), times: 1 }]);
}

const emailsOf = (campaignId: string) => prisma().email.count({ where: { campaignId } });
const logsOf = (campaignId: string) => prisma().recipientLog.count({ where: { campaignId } });
const noDifferences = { counters: {}, skips: {} };

/** A campaign that was sent to all contacts so many days ago; one email has failed. */
async function sentCampaign(days = 500, recipients = 5, input: object = {}): Promise<string> {
  await people(test, project, recipients);
  const id = await frozenCampaign(test, project, input);
  await settleSome(test, id, 'FAILED', 1);
  await settleSome(test, id, 'SENT', recipients);
  await closeLedger(test.services, id);
  await age(id, days);
  return id;
}

const refused = {
  code: 'CONFLICT',
  message: expect.stringContaining('removed for their age'),
  suggestion: expect.stringContaining('Duplicate the campaign'),
};

describe('a campaign whose emails were removed', () => {
  it('keeps its counters, and lists no recipient, with expired, at once and for several', async () => {
    const id = await sentCampaign();
    const other = await sentCampaign(10, 0);
    const [stats, counters] = [await getCampaignStats.run(project.ctx, { id }), await countersOf(test, id)];
    expect(await listRecipients.run(project.ctx, { id })).toMatchObject({ expired: false, total: 5 });
    expect(await sweep(2)).toBe(5);
    expect([await emailsOf(id), await logsOf(id)]).toEqual([0, 0]);
    expect(await getCampaignStats.run(project.ctx, { id })).toEqual(stats);
    expect(await countersOf(test, id)).toEqual(counters);
    expect(await differencesOf(prisma(), id)).toEqual(noDifferences);
    expect(await listRecipients.run(project.ctx, { id })).toEqual({
      ...{ data: [], cursor: null, hasMore: false, total: 5, expired: true },
    });
    expect(await listRecipients.run(project.ctx, { id, type: 'failed' })).toMatchObject({
      ...{ data: [], total: 1, expired: true },
    });
    const each = await listRecipientsOfEach.run(project.ctx, { ids: [other, id], limit: 10 });
    expect(each.map(({ data, expired }) => [data.length, expired])).toEqual([
      [5, false],
      [0, true],
    ]);
  });

  it('is not retried and gets no sequel, and no earlier sequel of its round is sent', async () => {
    const id = await sentCampaign();
    const { id: draft } = await createSequel.run(project.ctx, { id, kind: 'NEW' });
    const { id: later } = await createSequel.run(project.ctx, { id, kind: 'NOT_OPENED' });
    await sweep();
    await expect(retryCampaign.run(project.ctx, { id, statuses: ['FAILED'] })).rejects.toMatchObject(refused);
    for (const kind of ['NEW', 'NOT_OPENED', 'CLICKED'] as const)
      await expect(createSequel.run(project.ctx, { id, kind })).rejects.toMatchObject(refused);
    await people(test, project, 1);
    await expect(sendCampaign.run(project.ctx, { id: draft })).rejects.toMatchObject(refused);
    // Whom it is for follows from the emails alone, so nobody is left.
    await expect(sendCampaign.run(project.ctx, { id: later })).rejects.toMatchObject({
      ...{ code: 'BAD_REQUEST', message: 'This campaign has no recipients' },
    });
  });

  it('was ended: one that is sent, paused, or has a sequel that will be, is not touched', async () => {
    await people(test, project, 4);
    const sending = await frozenCampaign(test, project);
    await settleSome(test, sending, 'SENT', 3);
    await age(sending, 500);
    expect(await sweep()).toBe(0);
    await cancelCampaign.run(project.ctx, { id: sending });
    await skipBatch(test.services, sending);
    const { id: rest } = await createSequel.run(project.ctx, { id: sending, kind: 'NEW' });
    await people(test, project, 1);
    await sendCampaign.run(project.ctx, { id: rest, scheduledFor: Date.now() + 3_600_000 });
    expect(await sweep()).toBe(0);
    await prisma().campaign.update({ where: { id: rest }, data: { status: 'CANCELLED' } });
    // The email that was skipped just now is young.
    expect(await sweep()).toBe(3);
    expect(await differencesOf(prisma(), sending)).toEqual(noDifferences);
  });

  it('can be deleted, whether or not some of its emails are left', async () => {
    const id = await sentCampaign(399);
    await age(
      id,
      10,
      (await prisma().email.findMany({ where: { campaignId: id }, take: 2 })).map(({ to }) => to),
    );
    expect(await sweep()).toBe(2);
    expect(await listRecipients.run(project.ctx, { id })).toMatchObject({ data: [], expired: true });
    await deleteCampaign.run(project.ctx, { id });
    while (await detachBatch(test.services, id));
    expect(await emailsOf(id)).toBe(0);
    expect(await emailsOfProject()).toBe(3);
    expect(await prisma().expiredEmails.count({ where: { scopeId: id } })).toBe(0);
  });

  it('is corrected when its counters are wrong, by the rows that are left and what was removed', async () => {
    const id = await sentCampaign(399);
    await age(
      id,
      10,
      (await prisma().email.findMany({ where: { campaignId: id }, take: 2 })).map(({ to }) => to),
    );
    await sweep();
    const right = await countersOf(test, id);
    await prisma().campaignCounter.update({
      where: { campaignId: id },
      data: { sentCount: 9, openedCount: 2 },
    });
    await checkCounters(test.services, id);
    expect(await countersOf(test, id)).toEqual(right);
  });
});

/** A project in a database with EMAIL_DAYS, or in one that keeps everything. */
interface Side {
  test: TestServices;
  project: TestProject;
}

const addresses = [0, 1, 2, 3, 4].map((n) => `p${n}@people.test`);

async function newSide(of: TestLedger): Promise<Side> {
  const side = { test: of.test, project: await of.newProject() };
  await verifiedDomain(side.test.services, side.project.id, 'shop.test');
  for (const email of addresses) await people(side.test, side.project, 1, { email });
  return side;
}

const step = fc.oneof(
  fc.record({ what: fc.constant('campaign' as const) }),
  fc.record({
    what: fc.constant('settle' as const),
    status: fc.constantFrom('SENT' as const, 'FAILED' as const, 'UNCERTAIN' as const),
    count: fc.integer({ min: 1, max: 4 }),
  }),
  fc.record({ what: fc.constant('age' as const), days: fc.constantFrom(200, 401), all: fc.boolean() }),
  fc.record({ what: fc.constant('open' as const), to: fc.constantFrom(...addresses) }),
  fc.record({
    what: fc.constant('retry' as const),
    statuses: fc.constantFrom<('FAILED' | 'UNCERTAIN')[][]>(['FAILED'], ['FAILED', 'UNCERTAIN']),
  }),
  fc.record({ what: fc.constant('cancel' as const) }),
  fc.record({ what: fc.constant('sweep' as const) }),
);
type Step = typeof step extends fc.Arbitrary<infer One> ? One : never;

/** Whether an operation was refused, and whether because of the age of emails. */
const outcomeOf = (work: Promise<unknown>): Promise<'done' | 'refused' | 'expired'> =>
  work.then(
    () => 'done',
    ({ message }: Error) => (message.includes('removed for their age') ? 'expired' : 'refused'),
  );

/** @returns what became of it; `expired` and `gone` when it needs an email that was removed */
async function make({ test, project: { ctx } }: Side, id: string, one: Step): Promise<string> {
  const { prisma } = test.services.database;
  switch (one.what) {
    case 'settle':
      await settleSome(test, id, one.status, one.count, 'to');
      return String(await closeLedger(test.services, id));
    case 'age':
      return String(await age(id, one.days, one.all ? undefined : addresses.slice(0, 2), prisma));
    case 'retry':
      return outcomeOf(retryCampaign.run(ctx, { id, statuses: one.statuses }));
    case 'cancel': {
      const outcome = await outcomeOf(cancelCampaign.run(ctx, { id }));
      await skipBatch(test.services, id);
      return outcome;
    }
    case 'open': {
      const email = await prisma.email.findFirst({ where: { campaignId: id, to: one.to } });
      if (!email) return 'gone';
      await openEmail(test, email.id);
      return 'done';
    }
    default:
      return 'nothing';
  }
}

/** What is stored of the emails of campaigns, and whether it is to be removed. */
const rowsOf = (
  { test }: Side,
  ids: readonly string[],
): Promise<{ n: number; to: string; status: string; isOld: boolean }[]> =>
  test.services.database.prisma.$queryRaw`
    SELECT c.n::int, e."to", e."status"::text AS "status", e."createdAt" < now() - interval '400 days' AND e."batchId" IS NULL
      AND coalesce(e."sentAt", e."updatedAt") < now() - interval '400 days' AND k."status" IN ('SENT', 'CANCELLED') AS "isOld"
    FROM unnest(${[...ids]}::uuid[]) WITH ORDINALITY AS c(id, n) JOIN "Campaign" k ON k."id" = c.id JOIN "Email" e ON e."campaignId" = c.id ORDER BY 1, 2`;

const figuresOf = ({ test }: Side, ids: readonly string[]): Promise<unknown> =>
  test.services.database.prisma.$queryRaw`
    SELECT c.n::int, f.* FROM unnest(${[...ids]}::uuid[]) WITH ORDINALITY AS c(id, n) CROSS JOIN LATERAL (
      SELECT sum("sent")::int AS "sent", sum("opened")::int AS "opened", sum("opens")::int AS "opens" FROM "FigureEntry" WHERE "campaignId" = c.id) f ORDER BY 1`;

/** Emails by status, as they are tallied and as they are stored. */
const tallyOf = ({ test, project: { id } }: Side): Promise<unknown> => test.services.database.prisma
  .$queryRaw`
  SELECT "status"::text, sum("count")::int AS "count" FROM (
    SELECT "status", "count" FROM "EmailTally" WHERE "projectId" = ${id}::uuid
    UNION ALL SELECT "status", "count" FROM "EmailTallyEntry" WHERE "projectId" = ${id}::uuid) t GROUP BY 1 HAVING sum("count") <> 0 ORDER BY 1`;
const countOf = ({ test, project: { id } }: Side): Promise<unknown> => test.services.database.prisma
  .$queryRaw`
  SELECT "status"::text, count(*)::int AS "count" FROM "Email" WHERE "projectId" = ${id}::uuid GROUP BY 1 ORDER BY 1`;

async function countedOf({ test }: Side, campaignId: string) {
  const { campaignId: _campaign, projectId: _project, ...counters } = await countersOf(test, campaignId);
  return counters;
}

describe('random histories', () => {
  let other: TestLedger;
  beforeAll(async () => {
    other = await openTestLedger();
    withoutHints(other.test);
  });
  afterAll(() => other.close());

  it('are counted alike with and without removal, and no removed row is a difference', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.tuple(fc.nat(2), step), { minLength: 4, maxLength: 20 }),
        async (history) => {
          const [swept, kept] = [await newSide(ledger), await newSide(other)];
          const campaigns = { swept: [] as string[], kept: [] as string[] };
          const begin = async () => {
            if (campaigns.swept.length === 3) return;
            campaigns.swept.push(await frozenCampaign(swept.test, swept.project));
            campaigns.kept.push(await frozenCampaign(kept.test, kept.project));
          };
          await begin();
          for (const [n, one] of history) {
            const index = n % campaigns.swept.length;
            if (one.what === 'campaign') await begin();
            else if (one.what === 'sweep') await sweep(2);
            else {
              const done = await make(swept, campaigns.swept[index] ?? '', one);
              if (done === 'gone' || done === 'expired') continue;
              const same = await make(kept, campaigns.kept[index] ?? '', one);
              // More rows are there to be made older.
              if (one.what !== 'age') expect(same).toBe(done);
            }
          }
          await sweep(2);
          const left = (await rowsOf(kept, campaigns.kept)).filter(({ isOld }) => !isOld);
          expect(await rowsOf(swept, campaigns.swept)).toEqual(left);
          expect(await figuresOf(swept, campaigns.swept)).toEqual(await figuresOf(kept, campaigns.kept));
          for (const side of [swept, kept]) expect(await tallyOf(side)).toEqual(await countOf(side));
          for (const [index, id] of campaigns.swept.entries()) {
            const twin = campaigns.kept[index] ?? '';
            expect(await countedOf(swept, id)).toEqual(await countedOf(kept, twin));
            expect(await differencesOf(prisma(), id)).toEqual(noDifferences);
            expect(await differencesOf(kept.test.services.database.prisma, twin)).toEqual(noDifferences);
          }
        },
      ),
      { numRuns: runs(8) },
    );
  });
});
