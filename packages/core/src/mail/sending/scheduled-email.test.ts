import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { composeServices } from '../../adapters/compose.ts';
import { eraseContacts } from '../../audience/contacts/erase.store.ts';
import { sendCampaign } from '../../automation/campaigns/index.ts';
import { newId } from '../../base/lib/index.ts';
import { routeId } from '../../base/providers/index.ts';
import { listUpcomingActivity } from '../../insight/activity/index.ts';
import { failWaitingMail } from '../../people/domains/domains.store.ts';
import {
  createTestProject,
  createTestServices,
  sendingCampaign,
  type TestProject,
  type TestServices,
  verifiedDomain,
  waitingMail,
} from '../../testing/index.ts';
import { bringMailForward } from '../ledger/clock.store.ts';
import { priorities, scheduledPriority } from '../ledger/ledger.rules.ts';
import { cancelEmail } from './cancel-email.ts';
import { getEmail } from './get-email.ts';
import { listEmails } from './list-emails.ts';
import { rescheduleEmail } from './reschedule-email.ts';
import { keepNeededBlobs, sweepContents } from './retention.ts';
import { sendEmail } from './send-email.ts';

let test: TestServices;
let project: TestProject;

beforeAll(async () => {
  test = await createTestServices();
  Object.assign(test.services.workflows, { signal: async () => undefined, signalDebounced: () => undefined });
});
afterAll(() => test.close());
beforeEach(async () => {
  project = await createTestProject(test.services);
  await verifiedDomain(test.services, project.id, 'shop.test');
});

const prisma = () => test.services.database.prisma;
const hour = 3_600_000;
const day = 24 * hour;
const ahead = (ms: number): Date => new Date(Date.now() + ms);

const send = (more: object = {}, ctx = project.ctx) =>
  sendEmail.runRaw(ctx, { to: 'a@people.test', from: 'team@shop.test', subject: 'S', body: 'B', ...more });
async function schedule(at: Date, more: object = {}): Promise<string> {
  const { emails } = await send({ scheduledAt: at.toISOString(), ...more });
  return emails[0]?.email ?? '';
}
const read = (id: string, ctx = project.ctx) => getEmail.run(ctx, { id });
const cancel = (id: string, ctx = project.ctx) => cancelEmail.runRaw(ctx, { id });
const move = (id: string, at: unknown, ctx = project.ctx) =>
  rescheduleEmail.runRaw(ctx, { id, scheduledAt: at });
const batches = () => prisma().deliveryBatch.findMany({ where: { projectId: project.id } });
const eventsOf = async (id: string) =>
  (await prisma().event.findMany({ where: { emailId: id } })).map(({ name, data }) => ({ name, data }));
const refused = (code: string) => expect.objectContaining({ code });

/** As a delivery process does: the batch of an email gets a fence. */
const claim = (id: string) => prisma().$executeRaw`
  UPDATE "DeliveryBatch" SET "token" = uuid7(), "worker" = 'w', "leaseUntil" = now() + interval '1 minute',
    "begun" = '\\x00', "answered" = '\\x00', "written" = '\\x00'
  WHERE ${id}::uuid = ANY("emailIds")`;

describe('a scheduled email', () => {
  it('waits in a batch of its own until its time', async () => {
    const at = ahead(hour);
    const { emails } = await send({ to: ['a@people.test', 'b@people.test'], scheduledAt: at.getTime() });
    for (const email of emails) {
      expect(email).toMatchObject({
        status: 'SCHEDULED',
        scheduledAt: at.toISOString(),
        heldBy: 'schedule',
        estimatedSendAt: at.toISOString(),
      });
    }
    const rows = await batches();
    expect(rows.map(({ emailIds }) => emailIds.length)).toEqual([1, 1]);
    for (const { nextAttemptAt, priority } of rows) {
      expect(nextAttemptAt).toEqual(at);
      expect(priority).toBe(scheduledPriority);
    }
    expect(await read(emails[0]?.email ?? '')).toMatchObject({
      status: 'SCHEDULED',
      nextAttemptAt: at.toISOString(),
      scheduledAt: at.toISOString(),
      heldBy: 'schedule',
      estimatedSendAt: at.toISOString(),
      error: null,
    });
  });

  it.each([
    [
      '60 recipients, which are stored alone',
      { to: Array.from({ length: 60 }, (_, n) => `${n}@people.test`) },
      60,
    ],
    ['attachments', { attachments: [{ filename: 'a.txt', content: 'YQ==', contentType: 'text/plain' }] }, 1],
  ])('waits in a batch of its own with %s', async (_what, more, count) => {
    const at = ahead(hour);
    await schedule(at, more);
    const rows = await batches();
    expect(rows).toHaveLength(count);
    expect(
      rows.every(
        ({ nextAttemptAt, emailIds }) => nextAttemptAt.getTime() === at.getTime() && emailIds.length === 1,
      ),
    ).toBe(true);
    expect(await prisma().email.count({ where: { projectId: project.id, scheduledAt: at } })).toBe(count);
  });

  it('is sent at once at a time within the last minute, as one without a time', async () => {
    const { emails, timestamp } = await send({ scheduledAt: ahead(-30_000).toISOString() });
    expect(emails[0]).toMatchObject({
      status: 'PENDING',
      scheduledAt: null,
      heldBy: null,
      estimatedSendAt: timestamp,
    });
    const [batch] = await batches();
    expect(batch?.priority).toBe(priorities.TRANSACTIONAL);
    expect(batch?.nextAttemptAt.getTime()).toBeLessThanOrEqual(Date.now() + 1_000);
  });

  it('takes the name that campaigns have for the time', async () => {
    const at = ahead(hour);
    const { emails } = await send({ scheduledFor: at.toISOString() });
    expect(emails[0]).toMatchObject({ scheduledAt: at.toISOString() });
    await expect(
      send({ scheduledFor: at.toISOString(), scheduledAt: ahead(day).toISOString() }),
    ).rejects.toThrow(
      expect.objectContaining({
        errors: [expect.objectContaining({ field: 'scheduledAt', code: 'custom' })],
      }),
    );
    const campaignId = newId();
    const both = { id: campaignId, scheduledFor: at.toISOString(), scheduledAt: ahead(day).toISOString() };
    await expect(sendCampaign.runRaw(project.ctx, both)).rejects.toThrow(refused('CAMPAIGN_NOT_FOUND'));
  });

  it('is listed by its status and by its time, and PENDING leaves it out', async () => {
    const last = await schedule(ahead(3 * hour));
    const first = await schedule(ahead(hour));
    const { emails } = await send();
    const list = async (input: object) =>
      (await listEmails.runRaw(project.ctx, input)).data.map(({ id }) => id);
    expect(await list({ status: 'SCHEDULED' })).toEqual([first, last]);
    expect(await list({ status: 'SCHEDULED', dir: 'asc' })).toEqual([last, first]);
    expect(await list({ status: 'PENDING' })).toEqual([emails[0]?.email]);
    expect(await list({ sort: 'scheduledAt', dir: 'asc' })).toEqual([first, last]);
    expect(await list({ sort: 'scheduledAt' })).toEqual([last, first]);
    expect(await list({ sort: 'scheduledAt', dir: 'asc', search: 'people' })).toEqual([first, last]);
    expect(await list({ sort: 'unknown' })).toEqual([emails[0]?.email, first, last]);
    const page = await listEmails.runRaw(project.ctx, { sort: 'scheduledAt', dir: 'asc', limit: 1 });
    expect(page).toMatchObject({ total: 2, hasMore: true });
    const cursor = page.cursor;
    expect(await list({ sort: 'scheduledAt', dir: 'asc', limit: 1, cursor })).toEqual([last]);
  });

  it('is among what is to come, as the recipient will see it', async () => {
    const at = ahead(hour);
    const id = await schedule(at, { subject: 'For {{name}}', data: { name: 'Ann' } });
    await schedule(ahead(40 * day));
    const { activities } = await listUpcomingActivity.run(project.ctx, {});
    expect(activities).toEqual([
      expect.objectContaining({
        id,
        type: 'email.scheduled',
        timestamp: at.toISOString(),
        contactEmail: 'a@people.test',
        metadata: { emailId: id, subject: 'For Ann', to: 'a@people.test' },
      }),
    ]);
  });

  it('is cancelled when its contact is deleted, and its attachments are no longer kept', async () => {
    const id = await schedule(ahead(100 * day), {
      attachments: [{ filename: 'a.txt', content: 'YQ==', contentType: 'text/plain' }],
    });
    const contact = await prisma().contact.findFirstOrThrow({ where: { projectId: project.id } });
    const keptUntil = async () =>
      (await prisma().blob.findFirstOrThrow({ where: { projectId: project.id } })).keptUntil;
    const now = ahead(2 * day);
    await keepNeededBlobs(test.services, now);
    const kept = await keptUntil();
    expect(kept.getTime()).toBe(now.getTime() + 2 * day);
    await prisma().$transaction((db) => eraseContacts(db, test.services.secrets, project.id, [contact.id]));
    expect(await read(id)).toMatchObject({ status: 'SKIPPED', reason: 'cancelled', to: '', heldBy: null });
    await keepNeededBlobs(test.services, ahead(4 * day));
    expect(await keptUntil()).toEqual(kept);
  });

  it('fails when its domain is removed', async () => {
    const id = await schedule(ahead(hour));
    const domain = await prisma().domain.findFirstOrThrow({ where: { projectId: project.id } });
    await failWaitingMail(prisma(), domain.id, 10);
    expect(await read(id)).toMatchObject({ status: 'FAILED' });
    expect(await batches()).toEqual([]);
  });

  it('keeps its content until 90 days after its time', async () => {
    const id = await schedule(ahead(200 * day));
    const { contentId } = await prisma().email.findUniqueOrThrow({ where: { id } });
    await prisma().content.updateMany({
      where: { projectId: project.id },
      data: { createdAt: ahead(-200 * day) },
    });
    await prisma().email.updateMany({
      where: { id },
      data: {
        status: 'SENT',
        sentAt: new Date(),
        batchId: null,
        scheduledAt: ahead(-80 * day),
        createdAt: ahead(-200 * day),
      },
    });
    await prisma().deliveryBatch.deleteMany();
    const body = async () => (await prisma().content.findUniqueOrThrow({ where: { id: contentId } })).body;
    await sweepContents(test.services, new Date(), 100);
    expect(await body()).toBe('B');
    await sweepContents(test.services, ahead(20 * day), 100);
    expect(await body()).toBeNull();
  });

  it('is not sent earlier because the clock of the database is set back', async () => {
    const at = ahead(2 * hour);
    await schedule(at);
    const [scheduled] = await batches();
    await waitingMail(test.services, project.id, { count: 1 });
    await prisma().deliveryBatch.updateMany({
      where: { projectId: project.id, id: { not: scheduled?.id ?? '' } },
      data: { nextAttemptAt: at },
    });
    await bringMailForward(test.services, hour, 60_000);
    const rows = await prisma().deliveryBatch.findMany({ where: { projectId: project.id } });
    expect(
      rows.map(({ id, nextAttemptAt }) => [id === scheduled?.id, nextAttemptAt.getTime()]).sort(),
    ).toEqual([
      [false, at.getTime() - hour],
      [true, at.getTime()],
    ]);
  });
});

describe('cancelling an email', () => {
  it('takes it out of the queue, and tells it once', async () => {
    const id = await schedule(ahead(hour));
    expect(await cancel(id)).toMatchObject({
      id,
      status: 'SKIPPED',
      reason: 'cancelled',
      heldBy: null,
      nextAttemptAt: null,
    });
    expect(await batches()).toEqual([]);
    expect(await eventsOf(id)).toEqual([
      {
        name: 'email.skipped',
        data: expect.objectContaining({ emailId: id, reason: 'cancelled', error: null }),
      },
    ]);
    await expect(cancel(id)).rejects.toThrow(refused('CONFLICT'));
    expect(await eventsOf(id)).toHaveLength(1);
  });

  it('leaves the others of its request in their batch', async () => {
    const { emails } = await send({ to: ['a@people.test', 'b@people.test', 'c@people.test'] });
    const [first = '', second = '', third = ''] = emails.map(({ email }) => email);
    expect(await cancel(second)).toMatchObject({ status: 'SKIPPED', reason: 'cancelled' });
    expect((await batches()).map(({ emailIds }) => emailIds)).toEqual([[first, third]]);
  });

  it('leaves what may have been delivered UNCERTAIN, and drops its second attempt', async () => {
    const { emails } = await send();
    const id = emails[0]?.email ?? '';
    for (const status of ['PENDING', 'UNCERTAIN'] as const) {
      await prisma().email.update({ where: { id }, data: { status, uncertainAt: new Date(), error: null } });
    }
    expect(await cancel(id)).toMatchObject({ status: 'UNCERTAIN', reason: null, nextAttemptAt: null });
    expect(await batches()).toEqual([]);
  });

  it('is refused for an email that is being sent, is final, or is a campaign’s', async () => {
    const { emails } = await send();
    const id = emails[0]?.email ?? '';
    await claim(id);
    await expect(cancel(id)).rejects.toThrow(refused('CONFLICT'));
    await expect(move(id, ahead(hour).toISOString())).rejects.toThrow(refused('CONFLICT'));
    expect(await read(id)).toMatchObject({ status: 'SENDING' });
    await prisma().deliveryBatch.deleteMany({ where: { projectId: project.id } });
    await prisma().email.update({
      where: { id },
      data: { status: 'SENT', sentAt: new Date(), batchId: null },
    });
    await expect(cancel(id)).rejects.toThrow(/SENT/);
    const campaignId = await sendingCampaign(test.services, project.id);
    const [mail] = await waitingMail(test.services, project.id, { count: 1, campaignId });
    await expect(cancel(mail?.id ?? '')).rejects.toThrow(refused('CONFLICT'));
    expect(await prisma().email.count({ where: { projectId: project.id, status: 'SKIPPED' } })).toBe(0);
  });

  it('does not find what is unknown, or another project’s', async () => {
    const id = await schedule(ahead(hour));
    const other = await createTestProject(test.services);
    await expect(cancel(id, other.ctx)).rejects.toThrow(refused('RESOURCE_NOT_FOUND'));
    await expect(move(id, ahead(day).toISOString(), other.ctx)).rejects.toThrow(
      refused('RESOURCE_NOT_FOUND'),
    );
    await expect(cancel(newId())).rejects.toThrow(refused('RESOURCE_NOT_FOUND'));
    expect(await read(id)).toMatchObject({ status: 'SCHEDULED' });
  });

  it('finds an email whose batch was split or replaced while its lock was waited for', async () => {
    const id = await schedule(ahead(hour));
    const [before] = await batches();
    const batchId = newId();
    let cancelled: Promise<unknown> = Promise.resolve();
    await prisma().$transaction(async (db) => {
      await db.$queryRaw`SELECT "id" FROM "DeliveryBatch" WHERE "id" = ${before?.id}::uuid FOR UPDATE`;
      cancelled = cancel(id);
      await expect
        .poll(async () => {
          const [row] = await prisma().$queryRaw<{ waits: number }[]>`
            SELECT count(*)::int AS waits FROM pg_stat_activity
            WHERE wait_event_type = 'Lock' AND query LIKE '%"DeliveryBatch"%' AND datname = current_database()`;
          return row?.waits;
        })
        .toBeGreaterThan(0);
      await db.deliveryBatch.create({
        data: {
          id: batchId,
          projectId: project.id,
          priority: 2,
          domainId: before?.domainId ?? null,
          emailIds: [id],
        },
      });
      await db.email.update({ where: { id }, data: { batchId } });
      await db.deliveryBatch.delete({ where: { id: before?.id ?? '' } });
    });
    expect(await cancelled).toMatchObject({ status: 'SKIPPED', reason: 'cancelled' });
    expect(await batches()).toEqual([]);
  });
});

describe('rescheduling an email', () => {
  it('moves it to another time, again and again', async () => {
    const id = await schedule(ahead(hour));
    for (const at of [ahead(2 * hour), ahead(60_000), ahead(364 * day)]) {
      expect(await move(id, at.toISOString())).toMatchObject({
        status: 'SCHEDULED',
        scheduledAt: at.toISOString(),
        nextAttemptAt: at.toISOString(),
        estimatedSendAt: at.toISOString(),
      });
      expect((await batches()).map(({ nextAttemptAt }) => nextAttemptAt)).toEqual([at]);
    }
  });

  it('sends it at once at a time within the last minute', async () => {
    const id = await schedule(ahead(hour));
    expect(await move(id, ahead(-1_000).toISOString())).toMatchObject({ status: 'PENDING', heldBy: null });
    await expect(move(id, ahead(hour).toISOString())).rejects.toThrow(refused('CONFLICT'));
  });

  it.each([
    ['no time', {}, 'required'],
    ['a day alone', { scheduledAt: '2099-01-01' }, 'invalid_date'],
    ['a time without a zone', { scheduledAt: '2099-01-01T09:00' }, 'invalid_date'],
    ['a time too far ahead', { scheduledAt: ahead(366 * day).toISOString() }, 'invalid_range'],
    [
      'two times',
      { scheduledAt: ahead(hour).toISOString(), scheduledFor: ahead(day).toISOString() },
      'custom',
    ],
  ])('refuses %s, and changes nothing', async (_what, body, code) => {
    const at = ahead(hour);
    const id = await schedule(at);
    await expect(rescheduleEmail.runRaw(project.ctx, { id, ...body })).rejects.toThrow(
      expect.objectContaining({ errors: [expect.objectContaining({ field: 'scheduledAt', code })] }),
    );
    expect(await read(id)).toMatchObject({ scheduledAt: at.toISOString() });
  });

  it('takes back a record as it was returned', async () => {
    const id = await schedule(ahead(hour));
    const at = ahead(2 * hour).toISOString();
    const { interactions: _interactions, ...record } = await read(id);
    expect(await rescheduleEmail.runRaw(project.ctx, { ...record, scheduledAt: at })).toMatchObject({
      scheduledAt: at,
    });
  });

  it('is for what is SCHEDULED alone', async () => {
    const { emails } = await send();
    await expect(move(emails[0]?.email ?? '', ahead(hour).toISOString())).rejects.toThrow(
      refused('CONFLICT'),
    );
  });
});

describe('what an email waits for', () => {
  it('is the email of its project before it, when it is due', async () => {
    await prisma().project.update({ where: { id: project.id }, data: { sendRate: 10 } });
    await waitingMail(test.services, project.id, { count: 30 });
    const campaignId = await sendingCampaign(test.services, project.id);
    const ofCampaign = await waitingMail(test.services, project.id, { count: 20, campaignId, batchSize: 10 });
    const estimate = async (id: string): Promise<number> => {
      const { heldBy, estimatedSendAt } = await read(id);
      expect(heldBy).toBe('queue');
      return Date.parse(estimatedSendAt ?? '') - Date.now();
    };
    // 30 emails, a batch of 10, and 5 of its own batch are before it.
    const ms = await estimate(ofCampaign[15]?.id ?? '');
    expect(ms).toBeGreaterThan(4_000);
    expect(ms).toBeLessThanOrEqual(4_500);
    const { data } = await listEmails.run(project.ctx, {});
    expect(data.every(({ heldBy, estimatedSendAt }) => heldBy === null && estimatedSendAt === null)).toBe(
      true,
    );
    await waitingMail(test.services, project.id, { count: 2_000 });
    expect(await read(ofCampaign[15]?.id ?? '')).toMatchObject({ heldBy: 'queue', estimatedSendAt: null });
  });

  it('is nothing for the first one', async () => {
    const { emails } = await send();
    expect(await read(emails[0]?.email ?? '')).toMatchObject({ heldBy: null, estimatedSendAt: null });
  });

  it('is the mail server while it is paused, but not for one whose time is ahead', async () => {
    const other = composeServices(test.services.config, test.services.log, { connections: 2 });
    const ctx = { ...project.ctx, services: other, db: other.database.prisma };
    const id = routeId(test.services.config);
    const domain = await prisma().domain.findFirstOrThrow({ where: { projectId: project.id } });
    await prisma().senderPause.create({
      data: {
        routeId: id,
        sender: domain.id,
        from: 'a@shop.test',
        reason: '421',
        failures: 1,
        nextProbeAt: new Date(),
      },
    });
    try {
      const { emails } = await send({}, ctx);
      expect(emails[0]).toMatchObject({ status: 'PENDING', heldBy: 'route', estimatedSendAt: null });
      expect(await read(emails[0]?.email ?? '')).toMatchObject({ heldBy: 'route', estimatedSendAt: null });
      const later = await schedule(ahead(hour));
      expect(await read(later)).toMatchObject({ status: 'SCHEDULED', heldBy: 'schedule', error: null });
    } finally {
      await prisma().senderPause.deleteMany();
      await other.close();
    }
  });

  it('is the next attempt of a retry', async () => {
    const { emails } = await send();
    const id = emails[0]?.email ?? '';
    const at = ahead(hour);
    await prisma().email.update({ where: { id }, data: { attempts: 1 } });
    await prisma().deliveryBatch.updateMany({
      where: { projectId: project.id },
      data: { nextAttemptAt: at, again: true },
    });
    expect(await read(id)).toMatchObject({
      status: 'PENDING',
      heldBy: 'retry',
      estimatedSendAt: at.toISOString(),
    });
  });
});
