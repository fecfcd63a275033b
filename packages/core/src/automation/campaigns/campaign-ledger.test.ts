import { setTimeout } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { deleteContact } from '../../audience/contacts/index.ts';
import { newId } from '../../base/lib/index.ts';
import { requeueEmails } from '../../mail/ledger/index.ts';
import { settleLate } from '../../mail/ledger/late.store.ts';
import { type HeldBatch, openTestLedger, type TestLedger } from '../../mail/ledger/ledger.fixture.ts';
import { getEmail, listEmails, previewEmail } from '../../mail/sending/index.ts';
import { type TestProject, type TestServices, verifiedDomain } from '../../testing/index.ts';
import { waitForLock } from '../../testing/wait-for-lock.ts';
import { findNeglectedCampaigns, readCampaignStep } from './campaign-delivery.ts';
import { content, frozenCampaign, people, settleSome, withoutHints } from './campaigns.fixture.ts';
import { cancelCampaign } from './cancel-campaign.ts';
import { checkCounters } from './check-counters.ts';
import { detachBatch, skipBatch } from './clear-campaign.ts';
import { closeLedger, createCloser } from './close-campaign.ts';
import { createCampaign } from './create-campaign.ts';
import { deleteCampaign } from './delete-campaign.ts';
import { freezeAudience } from './freeze-audience.ts';
import { getCampaign } from './get-campaign.ts';
import { getCampaignStats } from './get-campaign-stats.ts';
import { listRecipients } from './list-recipients.ts';
import { requeueRest, restOfRetry } from './requeue-emails.ts';
import { retryCampaign } from './retry-campaign.ts';
import { sendCampaign } from './send-campaign.ts';

let ledger: TestLedger;
let test: TestServices;
let project: TestProject;

beforeAll(async () => {
  ledger = await openTestLedger();
  test = withoutHints(ledger.test);
});
afterAll(() => ledger.close());
beforeEach(async () => {
  project = await ledger.newProject();
  await verifiedDomain(test.services, project.id, 'shop.test');
});

const prisma = () => test.services.database.prisma;
const statsOf = (id: string) => getCampaignStats.run(project.ctx, { id });
const isClosed = async (id: string) =>
  (await prisma().deliveryBatch.count({ where: { campaignId: id } })) === 0;

/** The sum of B4.7, which always holds. */
function expectSum(stats: Awaited<ReturnType<typeof statsOf>>): void {
  const { sentCount, failedCount, skippedCount, uncertainCount, pendingCount } = stats;
  expect(sentCount + failedCount + skippedCount + uncertainCount + pendingCount).toBe(stats.totalRecipients);
}

/** Claims waiting campaign email of the project, as a delivery process does. */
async function claimSome(maxEmails: number): Promise<HeldBatch> {
  const [held] = await ledger.take(project.id, { kind: 'bulk', maxEmails });
  if (!held) throw new Error('nothing was claimed');
  return held;
}

describe('erasing contacts while an audience is frozen', () => {
  /** Freezes the audience; `meanwhile` runs when its emails are written, but not committed. */
  async function freezeDuring(id: string, meanwhile: () => Promise<void>): Promise<void> {
    let freezing: Promise<unknown> = Promise.resolve();
    await prisma().$transaction(
      async (db) => {
        // A part locks the row of its campaign last.
        await db.$executeRaw`SELECT FROM "Campaign" WHERE "id" = ${id}::uuid FOR UPDATE`;
        freezing = freezeAudience(test.services, id);
        await waitForLock(test.services.database);
        await meanwhile();
      },
      { timeout: 60_000 },
    );
    await freezing;
  }
  const addressesIn = async (id: string) =>
    (await prisma().email.findMany({ where: { campaignId: id, to: { not: '' } } })).map(({ to }) => to);

  it('leaves no address and no contact behind, in emails to be sent and skipped ones', async () => {
    const [waiting = '', staying = ''] = await people(test, project, 2);
    const [suppressed = ''] = await people(test, project, 1, { email: 'blocked@people.test' });
    await prisma().suppression.create({
      data: { projectId: project.id, email: 'blocked@people.test', reason: 'MANUAL' },
    });
    const { id } = await createCampaign.run(project.ctx, { ...content, audienceType: 'ALL' });
    await sendCampaign.run(project.ctx, { id });
    await freezeDuring(id, async () => {
      for (const contactId of [waiting, suppressed]) await deleteContact.run(project.ctx, { id: contactId });
    });
    expect(await addressesIn(id)).toEqual([`${staying}@people.test`]);
    const erased = await prisma().email.findMany({
      where: { campaignId: id, to: '' },
      orderBy: { reason: 'asc' },
    });
    expect(erased.map(({ status, reason, contactId }) => [status, reason, contactId])).toEqual([
      ['SKIPPED', 'cancelled', null],
      ['SKIPPED', 'suppressed', null],
    ]);
    expect(await prisma().event.count({ where: { contactId: { in: [waiting, suppressed] } } })).toBe(0);
    const stats = await statsOf(id);
    expect(stats).toMatchObject({
      totalRecipients: 3,
      skippedCount: 2,
      pendingCount: 1,
      audienceComplete: true,
    });
    expectSum(stats);
  });

  it('also when the process that froze them ended before it could look', async () => {
    const [gone = '', staying = ''] = await people(test, project, 2);
    const id = await frozenCampaign(test, project);
    // As an erasure that did not see the emails leaves it.
    await prisma().contact.delete({ where: { id: gone } });
    await freezeAudience(test.services, id);
    expect(await addressesIn(id)).toEqual([`${staying}@people.test`]);
  });
});

describe('cancelling during delivery', () => {
  it('begins nothing after the reply; what has begun finishes, the rest is skipped, and the ledger closes', async () => {
    await people(test, project, 30);
    const id = await frozenCampaign(test, project);
    await settleSome(test, id, 'SENT', 10);
    const held = await claimSome(18);
    expect(held.emails).toHaveLength(8);
    const begun = held.emails.slice(0, 3);
    expect(await held.begin(...begun)).toBe(true);

    expect(await cancelCampaign.run(project.ctx, { id })).toMatchObject({
      status: 'CANCELLED',
      statusReason: null,
    });
    expect(await held.begin(...held.emails.slice(3))).toBe(false);
    expectSum(await statsOf(id));
    for (const [index, { n }] of held.emails.entries())
      held.answer(n, { outcome: index < begun.length ? 'sent' : 'giveback' });
    await held.record();
    await held.write();
    expect(await skipBatch(test.services, id)).toBe(0);
    expect(await isClosed(id)).toBe(true);
    expect(await readCampaignStep(test.services, id, Date.now())).toEqual({ kind: 'end' });
    const statuses = await prisma().email.groupBy({
      by: ['status', 'reason'],
      where: { campaignId: id },
      _count: true,
    });
    expect(statuses).toHaveLength(2);
    expect(statuses).toEqual(
      expect.arrayContaining([
        { status: 'SENT', reason: null, _count: 13 },
        { status: 'SKIPPED', reason: 'cancelled', _count: 17 },
      ]),
    );
    expect((await statsOf(id)).skippedReasons).toEqual({ cancelled: 17 });
  });
});

describe('freezing', () => {
  const sendingCampaign = async (): Promise<string> => {
    const { id } = await createCampaign.run(project.ctx, { ...content, audienceType: 'ALL' });
    await sendCampaign.run(project.ctx, { id });
    return id;
  };

  it('writes batches of half a second of the rate, and counts what is skipped by reason', async () => {
    await prisma().project.update({ where: { id: project.id }, data: { sendRate: 8 } });
    await people(test, project, 9);
    await people(test, project, 1, { email: 'broken' });
    await people(test, project, 1, { email: 'gone@people.test' });
    await prisma().suppression.create({
      data: { projectId: project.id, email: 'gone@people.test', reason: 'BOUNCE' },
    });
    const id = await frozenCampaign(test, project);
    const batches = await prisma().deliveryBatch.findMany({
      where: { campaignId: id },
      orderBy: { id: 'asc' },
    });
    expect(batches.map(({ emailIds }) => emailIds.length)).toEqual([4, 4, 1]);
    for (const { id: batchId, emailIds, priority } of batches) {
      expect(priority).toBe(4);
      expect(await prisma().email.count({ where: { batchId, id: { in: emailIds } } })).toBe(emailIds.length);
    }
    const stats = await statsOf(id);
    expect(stats).toMatchObject({
      totalRecipients: 11,
      skippedCount: 2,
      pendingCount: 9,
      skippedReasons: { invalid: 1, suppressed: 1 },
    });
  });

  /** The contacts of the project in the order in which their emails are written. */
  const inOrder = async (): Promise<string[]> => {
    const rows = await prisma().contact.findMany({
      where: { projectId: project.id },
      orderBy: [{ createdAt: 'asc' }, { id: 'asc' }],
    });
    return rows.map(({ id }) => id);
  };

  /** Runs `work` while the freeze waits to insert the email of this contact, as a large insertion would take its time. */
  async function whileInserting(
    id: string,
    contactId: string | undefined,
    size: number,
    work: () => Promise<void>,
  ) {
    const blocker = await test.services.database.durable.connect();
    try {
      await blocker.query('BEGIN');
      await blocker.query(
        `INSERT INTO "Email" ("id", "projectId", "contactId", "to", "type", "sourceType", "contentId", "campaignId")
         VALUES (uuid7(), $1, $2, '', 'MARKETING', 'CAMPAIGN', uuid7(), $3)`,
        [project.id, contactId, id],
      );
      const frozen = freezeAudience(test.services, id, size);
      await waitForLock(test.services.database);
      await work();
      await blocker.query('ROLLBACK');
      await frozen;
    } finally {
      blocker.release();
    }
  }

  it('does not keep a cancellation waiting, and leaves nothing behind after it', async () => {
    const [contactId] = await people(test, project, 3);
    const id = await sendingCampaign();
    await whileInserting(id, contactId, 100, async () => {
      expect(await cancelCampaign.run(project.ctx, { id })).toMatchObject({ status: 'CANCELLED' });
    });
    expect(await getCampaign.run(project.ctx, { id })).toMatchObject({ status: 'CANCELLED' });
    expect(await prisma().email.count({ where: { campaignId: id } })).toBe(0);
    expect(await isClosed(id)).toBe(true);
    expect(await readCampaignStep(test.services, id, Date.now())).toEqual({ kind: 'end' });
  });

  it('sends the first part of a large audience while the rest is written, and each contact gets one email', async () => {
    await people(test, project, 30);
    const ids = await inOrder();
    const id = await sendingCampaign();
    await whileInserting(id, ids.at(-1), 3, async () => {
      const stats = await statsOf(id);
      expect(stats.totalRecipients).toBe(15);
      expectSum(stats);
      for (const held of await ledger.take(project.id, { kind: 'bulk', maxEmails: 15 })) {
        await held.begin(...held.emails);
        for (const { n } of held.emails) held.answer(n, { outcome: 'sent' });
        await held.record();
        await held.write();
      }
      expect(await isClosed(id)).toBe(true);
      expect(await closeLedger(test.services, id)).toBe(false);
      expect(await readCampaignStep(test.services, id, Date.now())).toEqual({ kind: 'freeze' });
    });
    expect(await statsOf(id)).toMatchObject({ totalRecipients: 30, sentCount: 15, pendingCount: 15 });
    const emails = await prisma().email.findMany({ where: { campaignId: id }, select: { contactId: true } });
    expect(emails.map(({ contactId }) => contactId).sort()).toEqual(ids.sort());
    expect(await readCampaignStep(test.services, id, Date.now())).toEqual({ kind: 'watch' });
    expect(await freezeAudience(test.services, id)).toEqual({ totalRecipients: 30 });
  });

  it('skips the frozen parts of a campaign that is cancelled before the others, which get no email', async () => {
    await people(test, project, 10);
    const ids = await inOrder();
    const id = await sendingCampaign();
    await whileInserting(id, ids.at(-1), 4, async () => {
      expect(await cancelCampaign.run(project.ctx, { id })).toMatchObject({ status: 'CANCELLED' });
    });
    const stats = await statsOf(id);
    expect(stats).toMatchObject({ totalRecipients: 4, skippedReasons: { cancelled: 4 }, pendingCount: 0 });
    expect(stats.audienceComplete).toBe(false);
    expect(await prisma().email.count({ where: { campaignId: id } })).toBe(4);
    expect(await readCampaignStep(test.services, id, Date.now())).toEqual({ kind: 'end' });
  });

  it('goes on where it was interrupted, and past an address that has its email already', async () => {
    await people(test, project, 10);
    const ids = await inOrder();
    const id = await sendingCampaign();
    const database = test.services.database;
    let parts = 0;
    const interrupted = new Proxy(database.prisma, {
      get(target, name) {
        if (name === '$transaction' && ++parts > 1) throw new Error('the process ended');
        return Reflect.get(target, name);
      },
    });
    const services = { ...test.services, database: { ...database, prisma: interrupted } };
    await expect(freezeAudience(services, id, 4)).rejects.toThrow('the process ended');
    expect((await statsOf(id)).totalRecipients).toBe(4);
    // A contact of the first part is deleted, and one that is not read yet takes its address.
    const [first, last] = [ids[0], ids.at(-1)];
    const { email } = await prisma().contact.delete({ where: { id: first } });
    await prisma().contact.update({ where: { id: last }, data: { email } });
    await freezeAudience(test.services, id, 4);
    const emails = await prisma().email.findMany({ where: { campaignId: id }, select: { to: true } });
    expect(new Set(emails.map(({ to }) => to)).size).toBe(9);
    // That of the deleted contact is not sent.
    expect(await statsOf(id)).toMatchObject({ totalRecipients: 9, pendingCount: 8, skippedCount: 1 });
  });
});

describe('the counters of a campaign', () => {
  it('that add up are not counted again; others are corrected by its rows, also after a cancellation', async () => {
    await people(test, project, 7);
    const id = await frozenCampaign(test, project);
    await settleSome(test, id, 'SENT', 3);
    await cancelCampaign.run(project.ctx, { id });
    const right = await statsOf(id);
    expect(right).toMatchObject({ sentCount: 3, skippedCount: 4, skippedReasons: { cancelled: 4 } });
    await prisma().campaignCounter.update({
      where: { campaignId: id },
      data: { sentCount: 1, skippedCount: 9, unsubscribedCount: 2 },
    });
    await prisma().campaignSkip.update({
      where: { campaignId_reason: { campaignId: id, reason: 'cancelled' } },
      data: { count: 9 },
    });
    expect(await readCampaignStep(test.services, id, Date.now())).toEqual({ kind: 'end' });
    expect(await statsOf(id)).toEqual({ ...right, unsubscribedCount: 2, unsubscribeRate: 66.67 });
    await checkCounters(test.services, id);
    expect(await statsOf(id)).toMatchObject({ sentCount: 3 });
  });

  it('are corrected exactly while emails are opened, however often counting has to begin again', async () => {
    await people(test, project, 7);
    const id = await frozenCampaign(test, project);
    const sent = await settleSome(test, id, 'SENT', 7);
    await prisma().campaignCounter.update({ where: { campaignId: id }, data: { sentCount: 5 } });
    const openings = sent.map(async (emailId, index) => {
      await setTimeout(index * 2);
      await prisma().$transaction([
        prisma().email.update({ where: { id: emailId }, data: { openedAt: new Date() } }),
        prisma().campaignCounter.update({
          where: { campaignId: id },
          data: { openedCount: { increment: 1 } },
        }),
      ]);
    });
    await Promise.all([checkCounters(test.services, id), ...openings]);
    expect(await statsOf(id)).toMatchObject({ sentCount: 7, openedCount: 7 });
  });
});

/** A campaign whose only email has an unknown outcome. */
async function uncertainCampaign(): Promise<{ id: string; held: HeldBatch }> {
  await people(test, project, 1);
  const id = await frozenCampaign(test, project);
  const held = await claimSome(1);
  await held.begin(...held.emails);
  await ledger.expire(held);
  await ledger.reap();
  expect(await statsOf(id)).toMatchObject({ uncertainCount: 1, pendingCount: 0 });
  return { id, held };
}

describe('the process that settles the last email of a campaign', () => {
  /** A closer, and what it leaves to workflows. */
  function closer(): { close: (id: string) => void; left: string[] } {
    const left: string[] = [];
    const workflows = Object.assign(Object.create(test.services.workflows), {
      signalDebounced: (_job: unknown, { campaignId }: { campaignId: string }) => void left.push(campaignId),
    });
    return { close: createCloser({ ...test.services, workflows }), left };
  }
  const statusOf = async (id: string) =>
    (await prisma().campaign.findUniqueOrThrow({ where: { id } })).status;

  it('closes it at once, one of several that believe to have done so', async () => {
    await people(test, project, 3);
    const id = await frozenCampaign(test, project);
    await settleSome(test, id, 'SENT', 2);
    const early = closer();
    early.close(id);
    await expect.poll(() => early.left).toEqual([id]);
    expect(await statusOf(id)).toBe('SENDING');
    await settleSome(test, id, 'SENT', 1);
    const closers = [closer(), closer(), closer()];
    for (const { close } of closers) close(id);
    await Promise.all([
      closeLedger(test.services, id),
      ...closers.map(({ left }) => expect.poll(() => left).toEqual([id])),
    ]);
    expect(await statusOf(id)).toBe('SENT');
    const sent = { projectId: project.id, name: 'campaign.sent' };
    expect(await prisma().event.count({ where: sent })).toBe(1);
  });

  it('leaves one whose emails have to be counted to its workflow', async () => {
    await people(test, project, 3);
    const id = await frozenCampaign(test, project);
    await settleSome(test, id, 'SENT', 3);
    await prisma().campaignCounter.update({ where: { campaignId: id }, data: { sentCount: 2 } });
    const { close, left } = closer();
    close(id);
    await expect.poll(() => left).toEqual([id]);
    expect(await statusOf(id)).toBe('SENDING');
    expect(await closeLedger(test.services, id)).toBe(true);
    expect(await statusOf(id)).toBe('SENT');
  });
});

describe('retry', () => {
  it('requeues exactly these emails, and the ledger closes again', async () => {
    await people(test, project, 20);
    const id = await frozenCampaign(test, project);
    await settleSome(test, id, 'SENT', 12);
    const failed = await settleSome(test, id, 'FAILED', 5);
    await settleSome(test, id, 'UNCERTAIN', 3);
    expect(await closeLedger(test.services, id)).toBe(true);
    const [erased = ''] = failed;
    await prisma().email.update({ where: { id: erased }, data: { contactId: null } });

    expect(await retryCampaign.run(project.ctx, { id, statuses: ['FAILED'] })).toEqual({ requeued: 4 });
    const during = await statsOf(id);
    expect(during).toMatchObject({ sentCount: 12, failedCount: 1, uncertainCount: 3, pendingCount: 4 });
    expectSum(during);
    expect(await prisma().campaign.findUniqueOrThrow({ where: { id } })).toMatchObject({ status: 'SENDING' });
    const waiting = await prisma().deliveryBatch.findMany({ where: { campaignId: id } });
    expect(waiting.flatMap(({ emailIds }) => emailIds).sort()).toEqual(failed.slice(1).sort());
    expect(waiting.every(({ domainId, again }) => domainId !== null && again)).toBe(true);
    expect(await closeLedger(test.services, id)).toBe(false);

    await settleSome(test, id, 'SENT', 4);
    expect(await closeLedger(test.services, id)).toBe(true);
    expect(await prisma().campaign.findUniqueOrThrow({ where: { id } })).toMatchObject({
      status: 'SENT',
      totalRecipients: 20,
    });
    expect(await statsOf(id)).toMatchObject({
      sentCount: 16,
      failedCount: 1,
      uncertainCount: 3,
      pendingCount: 0,
    });
  });

  it('gives a failed email the shortest delay again', async () => {
    await people(test, project, 1);
    const id = await frozenCampaign(test, project);
    await settleSome(test, id, 'FAILED', 1);
    await prisma().email.updateMany({ where: { campaignId: id }, data: { attempts: 7 } });
    await retryCampaign.run(project.ctx, { id, statuses: ['FAILED'] });
    expect((await claimSome(1)).emails).toMatchObject([{ attempts: 0 }]);
  });

  it('of an email that may have arrived never ends as SKIPPED', async () => {
    const { id } = await uncertainCampaign();
    await retryCampaign.run(project.ctx, { id, statuses: ['UNCERTAIN'] });
    await cancelCampaign.run(project.ctx, { id });
    expect(await statsOf(id)).toMatchObject({ skippedCount: 0, uncertainCount: 1, pendingCount: 0 });
  });

  it('goes through the failed emails in parts, and counts what is left exactly', async () => {
    await people(test, project, 30);
    const id = await frozenCampaign(test, project);
    const failed: string[] = [];
    for (let each = 0; each < 6; each += 1) failed.push(...(await settleSome(test, id, 'FAILED', 5)));
    await prisma().email.update({ where: { id: failed[29] ?? '' }, data: { contactId: null } });
    const request = {
      projectId: project.id,
      campaignId: id,
      statuses: ['FAILED' as const],
      before: null,
      batchSize: 4,
      sandboxFrom: 'sandbox@localhost',
    };
    const first = await requeueEmails(prisma(), request, null, 10);
    expect(first.count).toBeGreaterThanOrEqual(10);
    if (!first.next) throw new Error('nothing is left');
    expect(await restOfRetry(prisma(), request, first.next)).toBe(29 - first.count);
    // Of more than a request counts, the email of the deleted contact is one.
    expect(await restOfRetry(prisma(), request, first.next, 1)).toBe(30 - first.count);
    let requeued = first.count;
    for (let after: typeof first.next | null = first.next; after; ) {
      const { count, next }: typeof first = await requeueEmails(prisma(), request, after, 10);
      requeued += count;
      after = next;
    }
    expect(requeued).toBe(29);
    // Repeated from the start, it finds nothing, and does not read what it has requeued.
    expect((await requeueEmails(prisma(), request, null, 10)).count).toBe(0);
    const log = await prisma().recipientLog.findMany({ where: { campaignId: id, status: 'FAILED' } });
    expect(log.flatMap(({ emailIds }) => emailIds)).toEqual([failed[29]]);
    const sizes = await prisma().deliveryBatch.findMany({ where: { campaignId: id } });
    expect(sizes.every(({ emailIds }) => emailIds.length <= 4)).toBe(true);
    expect(await statsOf(id)).toMatchObject({ failedCount: 1, pendingCount: 29 });
  });

  it('larger than a request counts all of them, queues the rest in the background, and closes afterwards', async () => {
    await people(test, project, 40);
    const id = await frozenCampaign(test, project);
    for (let each = 0; each < 8; each += 1) await settleSome(test, id, 'FAILED', 5);
    await prisma().campaign.update({
      where: { id },
      data: { retryStatuses: ['FAILED'], retryBefore: new Date(), status: 'SENDING' },
    });
    expect(await closeLedger(test.services, id)).toBe(false);
    await expect(retryCampaign.run(project.ctx, { id, statuses: ['FAILED'] })).rejects.toMatchObject({
      code: 'CONFLICT',
    });
    expect(await readCampaignStep(test.services, id, Date.now())).toEqual({ kind: 'requeue' });
    await requeueRest(test.services, id);
    expect(await readCampaignStep(test.services, id, Date.now())).toEqual({ kind: 'watch' });
    expect(await statsOf(id)).toMatchObject({ failedCount: 0, pendingCount: 40 });
    await settleSome(test, id, 'SENT', 40);
    expect(await closeLedger(test.services, id)).toBe(true);
  });

  it('with nothing to retry leaves the status unchanged', async () => {
    await people(test, project, 2);
    const id = await frozenCampaign(test, project);
    await settleSome(test, id, 'SENT', 2);
    await closeLedger(test.services, id);
    expect(await retryCampaign.run(project.ctx, { id, statuses: ['FAILED', 'UNCERTAIN'] })).toEqual({
      requeued: 0,
    });
    expect(await prisma().campaign.findUniqueOrThrow({ where: { id } })).toMatchObject({ status: 'SENT' });
  });

  it('the late answer of the last attempt settles a requeued email', async () => {
    const { id, held } = await uncertainCampaign();
    await closeLedger(test.services, id);
    expect(await retryCampaign.run(project.ctx, { id, statuses: ['UNCERTAIN'] })).toEqual({ requeued: 1 });
    await ledger.use((client) =>
      settleLate(
        client,
        held.emails.map((email) => ({
          emailId: email.id,
          token: held.token,
          priority: email.priority,
          result: { outcome: 'sent' },
          subject: null,
        })),
        'sandbox@localhost',
      ),
    );
    expectSum(await statsOf(id));
    expect(await prisma().email.findFirstOrThrow({ where: { campaignId: id } })).toMatchObject({
      status: 'SENT',
    });
  });

  it.each([
    [{ statuses: [] }, 'statuses', 'too_small'],
    [{}, 'statuses', 'required'],
    [{ statuses: ['SENT'] }, 'statuses.0', 'invalid_enum_value'],
  ])('%j is refused', async (input, field, code) => {
    await expect(retryCampaign.runRaw(project.ctx, { id: newId(), ...input })).rejects.toMatchObject({
      errors: [{ field, code }],
    });
  });
});

describe('deleting', () => {
  it('keeps the emails and clears their campaign id', async () => {
    await people(test, project, 5);
    const id = await frozenCampaign(test, project);
    await settleSome(test, id, 'SENT', 5);
    await closeLedger(test.services, id);
    await deleteCampaign.run(project.ctx, { id });
    const emails = await prisma().email.findMany({ where: { projectId: project.id } });
    expect(emails).toHaveLength(5);
    expect(emails.every(({ campaignId }) => campaignId === null)).toBe(true);
    expect(await prisma().campaignCounter.count({ where: { campaignId: id } })).toBe(0);
    const { data } = await listEmails.run(project.ctx, {});
    const [first] = data;
    expect(await previewEmail.runRaw(project.ctx, { id: first?.id })).toMatchObject({
      subject: 'Hello you',
      html: expect.stringContaining('Hi you'),
    });
  });

  it('of a large, just cancelled campaign finishes in the background, and none of its email is sent', async () => {
    await people(test, project, 2_300);
    await prisma().project.update({ where: { id: project.id }, data: { sendRate: 1_000 } });
    const id = await frozenCampaign(test, project);
    await prisma().campaign.update({ where: { id }, data: { status: 'CANCELLED' } });
    await deleteCampaign.run(project.ctx, { id });
    const left = await prisma().email.count({ where: { campaignId: id } });
    expect(left).toBeGreaterThan(0);
    expect((await findNeglectedCampaigns(test.services, null, 100)).map((row) => row.id)).toContain(id);
    expect(await readCampaignStep(test.services, id, Date.now())).toEqual({ kind: 'detach' });
    while (await detachBatch(test.services, id));
    expect(await readCampaignStep(test.services, id, Date.now())).toEqual({ kind: 'end' });
    expect(await isClosed(id)).toBe(true);
    expect(await prisma().email.count({ where: { projectId: project.id, campaignId: null } })).toBe(2_300);
    expect(await prisma().email.count({ where: { projectId: project.id, status: { not: 'SKIPPED' } } })).toBe(
      0,
    );
  });
});

describe('recipients', () => {
  it('are listed by type and page, latest change first, each once', async () => {
    await people(test, project, 25);
    const id = await frozenCampaign(test, project);
    const sent = await settleSome(test, id, 'SENT', 15);
    await settleSome(test, id, 'FAILED', 4);
    const at = new Date();
    await prisma().email.updateMany({ where: { id: { in: sent } }, data: { sentAt: at } });
    await prisma().email.updateMany({
      where: { id: { in: sent.slice(0, 6) } },
      data: { status: 'OPENED', openedAt: at, opens: 1 },
    });
    await prisma().campaignCounter.update({ where: { campaignId: id }, data: { openedCount: 6 } });
    const page = (query: object) => listRecipients.run(project.ctx, { id, ...query });
    for (const [type, count] of [
      [undefined, 25],
      ['sent', 15],
      ['opened', 6],
      ['clicked', 0],
      ['failed', 4],
      ['skipped', 0],
    ] as const) {
      const seen: string[] = [];
      let cursor: string | null = null;
      let last = Number.POSITIVE_INFINITY;
      do {
        const { data, cursor: next, total } = await page({ type, limit: 4, cursor });
        if (!cursor) expect(total).toBe(count);
        for (const each of data) {
          expect(Date.parse(each.occurredAt)).toBeLessThanOrEqual(last);
          last = Date.parse(each.occurredAt);
          seen.push(each.emailId);
        }
        cursor = next;
      } while (cursor);
      expect([type, seen.length, new Set(seen).size]).toEqual([type, count, count]);
    }
    const [failed] = (await page({ type: 'failed' })).data;
    expect(failed).toMatchObject({
      status: 'FAILED',
      error: 'refused',
      reason: null,
      email: expect.stringMatching(/@people\.test$/),
      contactId: expect.any(String),
    });
    await expect(page({ type: 'lost' })).rejects.toMatchObject({ code: 'BAD_REQUEST' });
    await expect(page({ cursor: 'x' })).rejects.toMatchObject({ code: 'BAD_REQUEST' });
  });
});

describe('an email', () => {
  it('is found by every filter and shows its newest interactions', async () => {
    const [contactId] = await people(test, project, 2);
    const id = await frozenCampaign(test, project);
    const [email = ''] = await settleSome(test, id, 'SENT', 2);
    const list = async (query: object) => (await listEmails.run(project.ctx, query)).total;
    const anHour = 3_600_000;
    expect(await list({ campaignId: id })).toBe(2);
    expect(await list({ campaignId: newId() })).toBe(0);
    expect(await list({ contactId })).toBe(1);
    expect(await list({ status: 'SENT', sourceType: 'CAMPAIGN' })).toBe(2);
    expect(await list({ status: 'PENDING' })).toBe(0);
    expect(await list({ sourceType: 'TEST' })).toBe(0);
    expect(await list({ from: new Date(Date.now() - anHour).toISOString() })).toBe(2);
    expect(await list({ to: new Date(Date.now() - anHour).toISOString() })).toBe(0);
    await prisma().interaction.createMany({
      data: Array.from({ length: 120 }, (_, index) => ({
        id: newId(),
        projectId: project.id,
        emailId: email,
        type: 'open' as const,
        at: new Date(index * 1_000),
      })),
    });
    const { interactions } = await getEmail.run(project.ctx, { id: email });
    expect(interactions).toHaveLength(100);
    expect(interactions[0]).toEqual({
      type: 'open',
      at: new Date(119_000).toISOString(),
      link: null,
      bot: false,
      detail: null,
    });
  });

  it.each([
    [
      { from: 'yesterday-ish' },
      { code: 'VALIDATION_ERROR', errors: [{ field: 'from', code: 'invalid_date' }] },
    ],
    [{ contactId: 'x' }, { code: 'VALIDATION_ERROR', errors: [{ field: 'contactId' }] }],
    [{ status: 'LOST' }, { code: 'BAD_REQUEST' }],
    [{ sourceType: 'SYSTEM' }, { code: 'BAD_REQUEST' }],
    [{ cursor: 'x' }, { code: 'BAD_REQUEST' }],
  ])('a list of %j is refused', async (query, error) => {
    await expect(listEmails.run(project.ctx, query)).rejects.toMatchObject(error);
  });

  it('whose content was cleared has a subject but no preview', async () => {
    await people(test, project, 1);
    const id = await frozenCampaign(test, project);
    const [email = ''] = await settleSome(test, id, 'SENT', 1);
    await prisma().email.update({
      where: { id: email },
      data: { contentClearedAt: new Date(), subject: 'Hello you' },
    });
    expect(await previewEmail.run(project.ctx, { id: email })).toEqual({
      subject: 'Hello you',
      html: null,
      text: null,
    });
  });
});
