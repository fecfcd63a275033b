import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { sendingCampaign, type TestProject, waitingMail } from '../../testing/index.ts';
import { renewLeases } from './lease.store.ts';
import { openTestLedger, type TestLedger } from './ledger.fixture.ts';

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

async function campaignOf(count: number) {
  const campaignId = await sendingCampaign(ledger.test.services, project.id);
  await waitingMail(ledger.test.services, project.id, { count, campaignId });
  const [held] = await ledger.take(project.id, { kind: 'bulk' });
  if (!held) throw new Error('nothing was claimed');
  return { campaignId, held };
}

describe('the batch of a lost worker', () => {
  it('of which nothing has begun waits again as it was', async () => {
    const { held } = await campaignOf(3);
    await ledger.expire(held);
    expect(await ledger.reap()).toMatchObject({ batches: 1, givenBack: 3, uncertain: 0, emails: 0 });
    const [again] = await ledger.take(project.id, { kind: 'bulk' });
    expect(again?.emails.map(({ id }) => id)).toEqual(held.emails.map(({ id }) => id));
    expect(again?.emails.map(({ attempts }) => attempts)).toEqual([0, 0, 0]);
  });

  it('of a campaign: recorded answers count, what has begun is UNCERTAIN for good, the rest waits again', async () => {
    const { campaignId, held } = await campaignOf(3);
    await held.begin({ n: 0 }, { n: 1 });
    held.answer(0, { outcome: 'sent' });
    await held.record();
    await ledger.expire(held);
    expect(await ledger.reap()).toMatchObject({
      batches: 1,
      givenBack: 1,
      uncertain: 1,
      emails: 2,
      campaigns: [campaignId],
    });
    const [sent, uncertain, waiting] = await Promise.all(held.emails.map(({ id }) => emailOf(id)));
    expect(sent).toMatchObject({ status: 'SENT', attempts: 1 });
    expect(uncertain).toMatchObject({ status: 'UNCERTAIN', attempts: 1, fence: held.token, batchId: null });
    expect(uncertain?.error).toContain('may have accepted');
    expect(uncertain?.uncertainAt).toBeInstanceOf(Date);
    expect(waiting).toMatchObject({ status: 'PENDING', attempts: 0 });
    expect((await batches()).map(({ emailIds }) => emailIds)).toEqual([[waiting?.id]]);
    expect(await prisma().campaignCounter.findUniqueOrThrow({ where: { campaignId } })).toMatchObject({
      sentCount: 1,
      uncertainCount: 1,
    });
  });

  it('transactional: UNCERTAIN, due once more after two minutes, then never again', async () => {
    await waitingMail(ledger.test.services, project.id, { count: 1 });
    const { held, email } = await ledger.takeOne(project.id);
    await held.begin(email);
    await ledger.expire(held);
    await ledger.reap();
    expect(await emailOf(email.id)).toMatchObject({ status: 'UNCERTAIN', autoResent: true });
    const [resend] = await batches();
    const inMs = (resend?.nextAttemptAt.getTime() ?? 0) - Date.now();
    expect(inMs).toBeGreaterThan(100_000);
    expect(inMs).toBeLessThan(125_000);
    await prisma().deliveryBatch.updateMany({
      where: { projectId: project.id },
      data: { nextAttemptAt: new Date() },
    });
    const again = await ledger.takeOne(project.id);
    await again.held.begin(again.email);
    await ledger.expire(again.held);
    await ledger.reap();
    expect(await emailOf(email.id)).toMatchObject({
      status: 'UNCERTAIN',
      autoResent: true,
      batchId: null,
      attempts: 2,
    });
    expect(await batches()).toEqual([]);
  });

  it('is left alone while its lease runs, and once it was renewed', async () => {
    const { held } = await campaignOf(1);
    expect(await ledger.reap()).toMatchObject({ batches: 0 });
    await ledger.expire(held);
    await ledger.use((client) => renewLeases(client, [held], 60_000));
    expect(await ledger.reap()).toMatchObject({ batches: 0 });
  });

  it('is found for every project in one call, whichever rule refused its beginning', async () => {
    const first = await campaignOf(1);
    project = await ledger.newProject();
    const second = await campaignOf(1);
    await ledger.expire(first.held, second.held);
    expect(await second.held.begin({ n: 0 })).toBe(false);
    expect(await ledger.reap()).toMatchObject({ batches: 2, givenBack: 2 });
  });

  it('whose write was forgotten by a crash of the database is written from its recorded answers', async () => {
    const { campaignId, held } = await campaignOf(2);
    await held.begin(...held.emails);
    held.answer(0, { outcome: 'sent' });
    held.answer(1, { outcome: 'failed', error: '550' });
    await held.record();
    await ledger.expire(held);
    await ledger.reap();
    expect((await Promise.all(held.emails.map(({ id }) => emailOf(id)))).map(({ status }) => status)).toEqual(
      ['SENT', 'FAILED'],
    );
    expect(await prisma().campaignCounter.findUniqueOrThrow({ where: { campaignId } })).toMatchObject({
      sentCount: 1,
      failedCount: 1,
    });
  });
});
