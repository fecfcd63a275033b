import fc, { runs } from '@postrider/vitest/fast-check.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type EmailStatus, Prisma } from '../../base/db/index.ts';
import { countersOf, openTestLedger, type TestLedger } from './ledger.fixture.ts';
import { type Ending, LedgerModel } from './ledger-model.fixture.ts';

/**
 * The promise of the ledger, against the real statements: whatever order things happen in, and whatever workers lose, every email reaches
 * exactly one final state that agrees with what the mail server knows, and none is transferred again while it may have arrived.
 */
let ledger: TestLedger;

beforeAll(async () => {
  ledger = await openTestLedger();
});
afterAll(() => ledger.close());

type Step = { name: string; run: (model: LedgerModel) => Promise<void> };

const worker = fc.nat({ max: 2 });
const pick = fc.nat({ max: 20 });
const kind = fc.constantFrom('direct' as const, 'bulk' as const);
const ending = fc.constantFrom<Ending>(
  'accepted',
  'accepted, answer lost',
  'lost',
  'refused',
  'bounced',
  'refused for now',
  'withheld',
);

/** A step with the text that a counterexample shows. */
function step<Values extends unknown[]>(
  weight: number,
  name: string,
  values: { [Key in keyof Values]: fc.Arbitrary<Values[Key]> },
  run: (model: LedgerModel, ...values: Values) => Promise<void>,
) {
  return {
    weight,
    arbitrary: fc.tuple<Values>(...values).map(
      (drawn): Step => ({
        name: [name, ...drawn].join(' '),
        run: (model) => run(model, ...drawn),
      }),
    ),
  };
}

const steps = fc.oneof(
  step(8, 'claim', [worker, kind, fc.integer({ min: 1, max: 6 })], (model, ...by) => model.claim(...by)),
  step(12, 'begin', [worker, pick], (model, ...by) => model.begin(...by)),
  step(12, 'end', [worker, pick, ending], (model, ...by) => model.end(...by)),
  step(4, 'record', [worker], (model, by) => model.record(by)),
  step(5, 'write', [worker], (model, by) => model.write(by)),
  step(3, 'sleep', [worker], (model, by) => model.sleep(by)),
  step(4, 'oversleep', [worker], (model, by) => model.oversleep(by)),
  step(2, 'crash', [worker, fc.boolean()], (model, ...by) => model.crash(...by)),
  step(2, 'renew', [worker], (model, by) => model.renew(by)),
  step(5, 'reap', [], (model) => model.reap()),
  step(4, 'wait', [], (model) => model.wait()),
  step(1, 'claim unheard', [worker, kind], (model, ...by) => model.claimUnheard(...by)),
  step(1, 'release unheard', [worker], (model, by) => model.releaseUnheard(by)),
  step(2, 'open', [pick], (model, by) => model.open(by)),
  step(1, 'erase', [pick], (model, by) => model.erase(by)),
  step(2, 'retry campaign', [], (model) => model.retryCampaign()),
  step(2, 'pause', [], (model) => model.pause()),
  step(2, 'resume', [], (model) => model.resume()),
  step(1, 'settle pauses', [], (model) => model.settlePauses()),
  step(1, 'cancel', [], (model) => model.cancel()),
  step(2, 'cancel one', [pick], (model, by) => model.cancelOne(by)),
  step(1, 'skip waiting', [], (model) => model.skipWaiting()),
);

const isFinal = new Set<EmailStatus>(['SENT', 'OPENED', 'FAILED', 'SKIPPED', 'UNCERTAIN']);

/** Each line names what is wrong; none when the promise is kept. */
async function brokenPromises(model: LedgerModel): Promise<string[]> {
  const { prisma } = ledger.test.services.database;
  const { projectId, campaignId } = model;
  const wrong = [...model.broken];
  if ((await prisma.deliveryBatch.count({ where: { projectId } })) > 0) wrong.push('a batch is left');
  const emails = await prisma.email.findMany({ where: { projectId } });
  const sentEvents = await prisma.event.groupBy({
    by: ['emailId'],
    where: { projectId, name: 'email.sent' },
    _count: true,
  });
  for (const [id, { accepted, wasUnanswered }] of model.truth) {
    const email = emails.find((one) => one.id === id);
    if (!email) {
      wrong.push(`${id} does not exist`);
      continue;
    }
    const { status, batchId, contactId } = email;
    const told = sentEvents.find(({ emailId }) => emailId === id)?._count ?? 0;
    if (!isFinal.has(status) || batchId !== null) wrong.push(`${id} is left ${status}`);
    if (accepted > 0 && status === 'SKIPPED') wrong.push(`${id} is SKIPPED, but arrived`);
    if (accepted === 0 && (status === 'SENT' || status === 'OPENED'))
      wrong.push(`${id} is ${status}, but never arrived`);
    if (status === 'UNCERTAIN' && !wasUnanswered) wrong.push(`${id} is UNCERTAIN, but was never transferred`);
    // An erased contact's events are deleted.
    if (told > 1 || (status === 'SENT' && told === 0 && contactId !== null))
      wrong.push(`${id} is ${status} with ${told} email.sent events`);
  }
  const [counted] = await prisma.$queryRaw<object[]>(Prisma.sql`
    SELECT count("sentAt")::int AS "sentCount", count("openedAt")::int AS "openedCount", count("bouncedAt")::int AS "bouncedCount",
      count("bouncedAt") FILTER (WHERE "sentAt" IS NULL)::int AS "refusedCount",
      count(*) FILTER (WHERE "status" = 'FAILED')::int AS "failedCount", count(*) FILTER (WHERE "status" = 'UNCERTAIN')::int AS "uncertainCount",
      count(*) FILTER (WHERE "status" = 'SKIPPED')::int AS "skippedCount"
    FROM "Email" WHERE "campaignId" = ${campaignId}::uuid`);
  const { skips, ...counters } = await countersOf(ledger.test, campaignId);
  const skipped = await prisma.email.groupBy({
    by: ['reason'],
    where: { campaignId, status: 'SKIPPED' },
    _count: true,
  });
  for (const { reason, _count } of skipped)
    if (skips[reason ?? ''] !== _count)
      wrong.push(`${skips[reason ?? '']} ${reason}, the rows say ${_count}`);
  for (const [name, count] of Object.entries(counted ?? {}))
    if (counters[name as keyof typeof counters] !== count)
      wrong.push(`${name} is ${counters[name as keyof typeof counters]}, the rows say ${count}`);
  return wrong;
}

describe('any order of claims, answers, losses, late answers, opens, erasures, retries, pauses and cancellations', () => {
  it('loses no email, transfers none twice, and leaves counters that agree with the rows', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(steps, { minLength: 30, maxLength: 120 }), async (order) => {
        const model = await LedgerModel.create(ledger);
        for (const { run } of order) await run(model);
        await model.comeToRest();
        expect(await brokenPromises(model)).toEqual([]);
      }),
      // A slow machine draws fewer.
      { numRuns: runs(25), interruptAfterTimeLimit: 60_000 },
    );
  }, 240_000);
});
