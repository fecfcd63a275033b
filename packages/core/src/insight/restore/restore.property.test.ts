import fc, { runs } from '@postrider/vitest/fast-check.ts';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { differencesOf } from '../../automation/campaigns/index.ts';
import { openTestLedger, type TestLedger } from '../../mail/ledger/ledger.fixture.ts';
import { type Ending, LedgerModel } from '../../mail/ledger/ledger-model.fixture.ts';
import { applyRestore } from './index.ts';

/**
 * The promise of a restore, from any state that workers can leave: no email may be sent again, each has a final state that does not contradict
 * what the mail server knew, counters agree with the rows, and nothing that a worker remembers changes anything.
 */
let ledger: TestLedger;
beforeAll(async () => {
  ledger = await openTestLedger();
});
afterAll(() => ledger.close());

type Step = (model: LedgerModel) => Promise<void>;

const worker = fc.nat({ max: 2 });
const pick = fc.nat({ max: 20 });
const ending = fc.constantFrom<Ending>(
  'accepted',
  'accepted, answer lost',
  'lost',
  'refused',
  'bounced',
  'refused for now',
  'withheld',
);

/** What a worker does with what it remembers. */
const remembering = [
  {
    weight: 12,
    arbitrary: fc.tuple(worker, pick, ending).map(
      (by): Step =>
        (model) =>
          model.end(...by),
    ),
  },
  {
    weight: 6,
    arbitrary: worker.map(
      (by): Step =>
        (model) =>
          model.record(by),
    ),
  },
  {
    weight: 6,
    arbitrary: worker.map(
      (by): Step =>
        (model) =>
          model.write(by),
    ),
  },
  {
    weight: 3,
    arbitrary: worker.map(
      (by): Step =>
        (model) =>
          model.oversleep(by),
    ),
  },
  {
    weight: 2,
    arbitrary: worker.map(
      (by): Step =>
        (model) =>
          model.renew(by),
    ),
  },
];
const kind = fc.constantFrom('direct' as const, 'bulk' as const);
const before = fc.oneof(
  ...remembering,
  {
    weight: 10,
    arbitrary: fc.tuple(worker, kind, fc.integer({ min: 1, max: 6 })).map(
      (by): Step =>
        (model) =>
          model.claim(...by),
    ),
  },
  {
    weight: 14,
    arbitrary: fc.tuple(worker, pick).map(
      (by): Step =>
        (model) =>
          model.begin(...by),
    ),
  },
  { weight: 3, arbitrary: fc.constant<Step>((model) => model.wait()) },
  { weight: 2, arbitrary: fc.constant<Step>((model) => model.reap()) },
  {
    weight: 1,
    arbitrary: fc.tuple(worker, fc.boolean()).map(
      (by): Step =>
        (model) =>
          model.crash(...by),
    ),
  },
  {
    weight: 1,
    arbitrary: pick.map(
      (by): Step =>
        (model) =>
          model.open(by),
    ),
  },
  {
    weight: 1,
    arbitrary: pick.map(
      (by): Step =>
        (model) =>
          model.erase(by),
    ),
  },
  { weight: 1, arbitrary: fc.constant<Step>((model) => model.pause()) },
  { weight: 1, arbitrary: fc.constant<Step>((model) => model.cancel()) },
);
const after = fc.oneof(...remembering, {
  weight: 2,
  arbitrary: fc.tuple(worker, kind, fc.constant(5)).map(
    (by): Step =>
      (model) =>
        model.claim(...by),
  ),
});

const hour = 3_600_000;

async function emailsOf({ projectId }: LedgerModel) {
  const emails = await ledger.test.services.database.prisma.email.findMany({
    where: { projectId },
    orderBy: { id: 'asc' },
  });
  return emails.map(({ id, status, batchId, sentAt, attempts }) => ({
    id,
    status,
    batchId,
    sentAt,
    attempts,
  }));
}

it('nothing is sent again, whatever was in flight, and old processes change nothing', async () => {
  const { services } = ledger.test;
  const { prisma } = services.database;
  await fc.assert(
    fc.asyncProperty(
      fc.array(before, { minLength: 10, maxLength: 60 }),
      fc.array(after, { minLength: 5, maxLength: 20 }),
      fc.constantFrom('uncertain' as const, 'skip' as const),
      async (order, later, inFlight) => {
        const model = await LedgerModel.create(ledger);
        for (const run of order) await run(model);
        const accepted = new Map([...model.truth].map(([id, truth]) => [id, truth.accepted]));

        await prisma.installation.deleteMany();
        const dataUntil = new Date();
        const lostUntil = new Date(Date.now() + 100 * hour);
        await applyRestore(services.database, { dataUntil, lostUntil, inFlight });
        const { projectId, campaignId } = model;
        expect(await prisma.deliveryBatch.count({ where: { projectId } })).toBe(0);
        const restored = await emailsOf(model);
        const wrong = restored.filter(({ id, status, batchId }) => {
          if (batchId !== null || status === 'PENDING' || status === 'SENDING') return true;
          const arrived = (accepted.get(id) ?? 0) > 0;
          return arrived ? status === 'SKIPPED' : status === 'SENT' || status === 'OPENED';
        });
        expect(wrong).toEqual([]);
        expect(await differencesOf(prisma, campaignId)).toEqual({ counters: {}, skips: {} });

        for (const run of later) await run(model);
        expect(await emailsOf(model)).toEqual(restored);
        expect(await differencesOf(prisma, campaignId)).toEqual({ counters: {}, skips: {} });
        await prisma.installation.update({ where: { id: 1 }, data: { hold: null } });
      },
    ),
    // A slow machine draws fewer.
    { numRuns: runs(20), interruptAfterTimeLimit: 60_000 },
  );
}, 240_000);
