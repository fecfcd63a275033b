import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { eraseContacts } from '../../audience/contacts/erase.store.ts';
import { eventTypes } from '../../base/event-types/index.ts';
import { newId } from '../../base/lib/index.ts';
import { sendingCampaign, type TestProject, waitingMail } from '../../testing/index.ts';
import { postgresVersions } from '../../testing/test-database.ts';
import { waitForLock } from '../../testing/wait-for-lock.ts';
import type { BatchResult } from './batch.ts';
import { countersOf, openTestLedger, type TestLedger } from './ledger.fixture.ts';
import { writeBatches } from './write.store.ts';

describe.each(await postgresVersions())('written answers on PostgreSQL (%s)', (postgres) => {
  let ledger: TestLedger;
  let project: TestProject;

  beforeAll(async () => {
    ledger = await openTestLedger(postgres);
  });
  afterAll(() => ledger.close());
  beforeEach(async () => {
    project = await ledger.newProject();
  });

  const prisma = () => ledger.test.services.database.prisma;
  const emailOf = (id: string) => prisma().email.findUniqueOrThrow({ where: { id } });
  const eventsOf = (emailId: string) =>
    prisma().event.findMany({ where: { emailId }, orderBy: { id: 'asc' } });
  const batches = () => prisma().deliveryBatch.findMany({ where: { projectId: project.id } });

  async function one({ campaignId = null as string | null } = {}) {
    await waitingMail(ledger.test.services, project.id, { count: 1, campaignId });
    return ledger.takeOne(project.id, campaignId ? 'bulk' : 'direct');
  }

  async function campaignOf(count: number) {
    const campaignId = await sendingCampaign(ledger.test.services, project.id);
    const emails = await waitingMail(ledger.test.services, project.id, { count, campaignId });
    const [held] = await ledger.take(project.id, { kind: 'bulk' });
    if (!held) throw new Error('nothing was claimed');
    return { campaignId, emails, held };
  }

  it('accepted: SENT at the time of the answer by the database’s clock, one email.sent event, no batch', async () => {
    const { held, email } = await one();
    expect(await held.settle({ outcome: 'sent' })).toEqual({
      campaigns: [],
      projects: [project.id],
      emails: 1,
      optOuts: 0,
      outcomes: [{ source: 'TRANSACTIONAL', outcome: 'sent', count: 1 }],
    });
    const { rows } = await ledger.use((client) => client.query(`SELECT now() AS now`));
    const written = await emailOf(email.id);
    expect(written).toMatchObject({
      status: 'SENT',
      attempts: 1,
      error: null,
      batchId: null,
      fence: held.token,
    });
    expect(Math.abs((written.sentAt?.getTime() ?? 0) - rows[0].now.getTime())).toBeLessThan(5_000);
    expect(await batches()).toEqual([]);
    const events = await eventsOf(email.id);
    expect(events.map(({ name }) => name)).toEqual(['email.sent']);
    expect(events[0]).toMatchObject({ kind: 'SYSTEM', createdAt: written.sentAt });
    expect(events[0]?.data).toMatchObject({
      emailId: email.id,
      subject: 'Hello',
      from: 'sender@mail.test',
      campaignId: null,
    });
  });

  it('refused for good: FAILED with the answer, and an email.failed event', async () => {
    const { held, email } = await one();
    await held.settle({ outcome: 'failed', error: '550 no' });
    expect(await emailOf(email.id)).toMatchObject({
      status: 'FAILED',
      sentAt: null,
      error: '550 no',
      attempts: 1,
    });
    const [event] = await eventsOf(email.id);
    expect(event).toMatchObject({ name: 'email.failed', kind: 'ACTIVITY' });
    expect(event?.data).toMatchObject({ error: '550 no', reason: null });
  });

  it('of unknown result: UNCERTAIN, and reported once to endpoints, with the facts of the email', async () => {
    const endpointId = newId();
    await prisma().webhookEndpoint.create({
      data: {
        id: endpointId,
        projectId: project.id,
        url: 'https://hooks.example.com/x',
        types: ['*'],
        secretCipher: 'none',
      },
    });
    const { held, email } = await one();
    await held.settle({ outcome: 'uncertain', error: 'lost' });
    expect(await emailOf(email.id)).toMatchObject({ status: 'UNCERTAIN', error: 'lost' });
    const [report, ...more] = await prisma().webhookDelivery.findMany({ where: { endpointId } });
    expect(report).toMatchObject({ type: 'email.uncertain', contactId: email.contactId });
    const { contact, ...data } = (report?.data ?? {}) as Record<string, unknown>;
    expect(eventTypes['email.uncertain'].data.strict().parse(data)).toMatchObject({
      emailId: email.id,
      error: 'lost',
    });
    expect(contact).toMatchObject({ id: email.contactId });
    expect(more).toEqual([]);
  });

  it('refused for now: a batch of its own, due after the delay, that knows the first answer', async () => {
    const { campaignId, emails, held } = await campaignOf(4);
    held.answer(0, { outcome: 'sent' });
    held.answer(1, { outcome: 'retry', error: '451 later', waitMs: 60_000 });
    held.answer(2, { outcome: 'retry', error: '451 later', waitMs: 60_000 });
    held.answer(3, { outcome: 'retry', error: '451 much later', waitMs: 120_000 });
    await held.record();
    await held.write();
    const waiting = (await batches()).toSorted(
      (a, b) => a.nextAttemptAt.getTime() - b.nextAttemptAt.getTime(),
    );
    expect(waiting.map(({ emailIds }) => emailIds)).toEqual([
      [emails[1]?.id, emails[2]?.id],
      [emails[3]?.id],
    ]);
    expect(waiting[0]).toMatchObject({
      campaignId,
      priority: 4,
      again: true,
      token: null,
      firstAnsweredAt: expect.any(Date),
    });
    const inMs = (waiting[0]?.nextAttemptAt.getTime() ?? 0) - (waiting[0]?.firstAnsweredAt?.getTime() ?? 0);
    expect(inMs).toBe(60_000);
    expect(await emailOf(emails[1]?.id ?? '')).toMatchObject({
      status: 'PENDING',
      attempts: 1,
      error: '451 later',
      batchId: waiting[0]?.id,
    });
  });

  describe('the history of refusals', () => {
    const deferralsOf = (emailId: string) =>
      prisma().interaction.findMany({ where: { emailId, type: 'deferral' }, orderBy: { at: 'desc' } });
    const later = { outcome: 'retry', error: '451 4.2.0 come back later', waitMs: 0 } as const;

    it('each temporary refusal is kept, with what was said and its class', async () => {
      const { held, email } = await one();
      await held.settle({
        ...later,
        diagnosis: { class: 'unreachable', code: '4.2.0', reply: 451, text: 'come back later' },
      });
      const again = await ledger.takeOne(project.id);
      await again.held.settle({ ...later, error: 'x'.repeat(600) });
      await (await ledger.takeOne(project.id)).held.settle({ outcome: 'sent' });
      const [second, first] = await deferralsOf(email.id);
      expect(first).toMatchObject({ projectId: project.id, detail: 'come back later', class: 'unreachable' });
      expect(second).toMatchObject({ detail: 'x'.repeat(500), class: null });
      expect(await deferralsOf(email.id)).toHaveLength(2);
    });

    it('at most 20 in an hour', async () => {
      const { held, email } = await one();
      await held.settle(later);
      await prisma().$executeRaw`
        INSERT INTO "Interaction" ("id", "projectId", "emailId", "type", "at")
        SELECT uuid7(), ${project.id}::uuid, ${email.id}::uuid, 'deferral', now() - interval '10 minutes' FROM generate_series(1, 18)`;
      await (await ledger.takeOne(project.id)).held.settle(later);
      await (await ledger.takeOne(project.id)).held.settle(later);
      expect(await deferralsOf(email.id)).toHaveLength(20);
      await prisma().$executeRaw`
        UPDATE "Interaction" SET "at" = "at" - interval '1 hour' WHERE "emailId" = ${email.id}::uuid`;
      await (await ledger.takeOne(project.id)).held.settle(later);
      expect(await deferralsOf(email.id)).toHaveLength(21);
    });

    it('an answer that is written while its contact is erased leaves no text', async () => {
      const { email } = await one();
      const { database, secrets } = ledger.test.services;
      const writing = await database.durable.connect();
      try {
        await writing.query('BEGIN');
        await writing.query({ text: 'SELECT FROM "Email" WHERE "id" = $1 FOR UPDATE', values: [email.id] });
        const erasing = prisma().$transaction((db) =>
          eraseContacts(db, secrets, project.id, [email.contactId ?? '']),
        );
        await waitForLock(database);
        await writing.query({
          text: `INSERT INTO "Interaction" ("id", "projectId", "emailId", "type", "detail") VALUES (uuid7(), $1, $2, 'deferral', 'no room for ann@people.test')`,
          values: [project.id, email.id],
        });
        await writing.query('COMMIT');
        await erasing;
      } finally {
        writing.release();
      }
      expect(await deferralsOf(email.id)).toMatchObject([{ detail: null }]);
    });

    it('what is given back without an attempt, and an email whose contact was erased, leave none', async () => {
      const { held, email } = await one();
      await held.settle({ outcome: 'giveback' });
      await prisma().email.update({ where: { id: email.id }, data: { contactId: null } });
      await (await ledger.takeOne(project.id)).held.settle(later);
      expect(await emailOf(email.id)).toMatchObject({ status: 'SKIPPED' });
      expect(await deferralsOf(email.id)).toEqual([]);
    });
  });

  it('given back: waits as before in its old place, without an attempt', async () => {
    const { held, email } = await one();
    await held.settle({ outcome: 'giveback' });
    expect(await emailOf(email.id)).toMatchObject({ status: 'PENDING', attempts: 0, fence: null });
    expect((await ledger.takeOne(project.id)).email.id).toBe(email.id);
    expect(await eventsOf(email.id)).toEqual([]);
  });

  it('skipped: SKIPPED with its reason', async () => {
    const { held, email } = await one();
    await held.settle({ outcome: 'skipped', reason: 'suppressed' });
    expect(await emailOf(email.id)).toMatchObject({ status: 'SKIPPED', reason: 'suppressed', attempts: 0 });
    expect((await eventsOf(email.id)).map(({ name }) => name)).toEqual(['email.skipped']);
  });

  it('counters of the campaign are those of the rows', async () => {
    const { campaignId, held } = await campaignOf(9);
    const outcomes = [
      { outcome: 'sent' },
      { outcome: 'sent' },
      { outcome: 'failed', error: '550' },
      { outcome: 'failed', error: '550', hardBounce: true },
      { outcome: 'unsendable', error: 'too large' },
      { outcome: 'skipped', reason: 'unsubscribed' },
      { outcome: 'skipped', reason: 'project_disabled' },
      { outcome: 'uncertain', error: 'lost' },
      { outcome: 'retry', error: '451', waitMs: 1 },
    ] as const;
    for (const [n, result] of outcomes.entries()) held.answer(n, result);
    await held.record();
    expect(await held.write()).toMatchObject({ campaigns: [campaignId], emails: 9 });
    expect(await countersOf(ledger.test, campaignId)).toMatchObject({
      sentCount: 2,
      failedCount: 3,
      bouncedCount: 1,
      refusedCount: 1,
      skippedCount: 2,
      skips: { unsubscribed: 1, project_disabled: 1 },
      uncertainCount: 1,
    });
  });

  it('in parts: what is answered by now is written, once', async () => {
    const { campaignId, emails, held } = await campaignOf(3);
    await held.settle({ outcome: 'sent' }, [{ n: 1 }]);
    expect((await emailOf(emails[1]?.id ?? '')).status).toBe('SENT');
    expect(await batches()).toMatchObject([{ id: held.id, written: Uint8Array.of(2) }]);
    await held.settle({ outcome: 'sent' }, [{ n: 0 }, { n: 2 }]);
    expect(await batches()).toEqual([]);
    expect(await countersOf(ledger.test, campaignId)).toMatchObject({ sentCount: 3 });
    expect(await prisma().event.count({ where: { projectId: project.id, name: 'email.sent' } })).toBe(3);
  });

  it('repeated after a commit whose reply was lost: no effect', async () => {
    const { campaignId, held } = await campaignOf(2);
    await held.settle({ outcome: 'failed', error: '550', hardBounce: true });
    expect(await held.write()).toEqual({ campaigns: [], projects: [], emails: 0, optOuts: 0, outcomes: [] });
    expect(await countersOf(ledger.test, campaignId)).toMatchObject({ failedCount: 2, bouncedCount: 2 });
    expect(await prisma().event.count({ where: { projectId: project.id, name: 'email.bounce' } })).toBe(2);
  });

  it('under a token that does not hold the batch: no effect', async () => {
    const { held, email } = await one();
    held.answer(0, { outcome: 'sent' });
    await held.record();
    const foreign = { id: held.id, token: newId(), subjects: null };
    expect(await ledger.use((client) => writeBatches(client, [foreign]))).toMatchObject({ emails: 0 });
    expect((await emailOf(email.id)).status).toBe('PENDING');
  });

  it('stores the rendered subjects, in the email and in its event', async () => {
    const { emails, held } = await campaignOf(2);
    await held.begin(...held.emails);
    held.answer(0, { outcome: 'sent' });
    held.answer(1, { outcome: 'sent' }, 'Hello "Jo", {a,b}');
    await held.record();
    await held.write();
    expect((await emailOf(emails[0]?.id ?? '')).subject).toBeNull();
    expect((await emailOf(emails[1]?.id ?? '')).subject).toBe('Hello "Jo", {a,b}');
    expect((await eventsOf(emails[1]?.id ?? ''))[0]?.data).toMatchObject({ subject: 'Hello "Jo", {a,b}' });
  });

  it('an opened email has arrived: no later answer fails it or sends it again', async () => {
    for (const outcome of ['failed', 'retry', 'giveback', 'uncertain', 'skipped', 'unsendable'] as const) {
      const { held, email } = await one();
      await held.begin(email);
      const openedAt = new Date();
      await prisma().email.update({
        where: { id: email.id },
        data: { status: 'OPENED', sentAt: openedAt, openedAt },
      });
      held.answer(0, { outcome });
      await held.record();
      await held.write();
      expect(await emailOf(email.id)).toMatchObject({ status: 'OPENED', sentAt: openedAt, batchId: null });
      expect(await batches()).toEqual([]);
    }
  });

  it('an email opened before its answer was written keeps its status, and is not told as sent again', async () => {
    const { held, email } = await one();
    await held.begin(email);
    const openedAt = new Date(Date.now() - 1_000);
    await prisma().email.update({
      where: { id: email.id },
      data: { status: 'OPENED', sentAt: openedAt, openedAt },
    });
    held.answer(0, { outcome: 'sent' });
    await held.record();
    await held.write();
    expect(await emailOf(email.id)).toMatchObject({ status: 'OPENED', sentAt: openedAt, attempts: 1 });
    // The open that proved it has told it.
    expect(await eventsOf(email.id)).toEqual([]);
  });

  it('an email whose contact was erased is not sent again', async () => {
    const { campaignId, held } = await campaignOf(3);
    const contactIds = held.emails.map(({ contactId }) => contactId ?? '');
    await held.begin(...held.emails);
    await prisma().$transaction((db) =>
      eraseContacts(db, ledger.test.services.secrets, project.id, contactIds),
    );
    held.answer(0, { outcome: 'retry', error: '451', waitMs: 1 });
    held.answer(1, { outcome: 'giveback' });
    held.answer(2, { outcome: 'sent' }, 'Hello Jo');
    await held.record();
    await held.write();
    const [retried, returned, sent] = await Promise.all(held.emails.map(({ id }) => emailOf(id)));
    expect(retried).toMatchObject({ status: 'SKIPPED', reason: 'cancelled' });
    expect(returned).toMatchObject({ status: 'SKIPPED', reason: 'cancelled' });
    expect(sent).toMatchObject({ status: 'SENT', subject: null });
    expect(await batches()).toEqual([]);
    expect(await countersOf(ledger.test, campaignId)).toMatchObject({
      sentCount: 1,
      skippedCount: 2,
      skips: { cancelled: 2 },
    });
  });

  it.each([
    ['skipped', { outcome: 'skipped', reason: 'suppressed' }],
    ['unsendable', { outcome: 'unsendable', error: 'sender domain removed' }],
  ] as const)('an email that may have arrived becomes UNCERTAIN again, not %s', async (_, result) => {
    const { held, email } = await one();
    await held.begin(email);
    await ledger.expire(held);
    await ledger.reap();
    await prisma().deliveryBatch.updateMany({
      where: { projectId: project.id },
      data: { nextAttemptAt: new Date() },
    });
    const again = await ledger.takeOne(project.id);
    expect(again.email.uncertain).toBe(true);
    await again.held.settle(result);
    expect(await emailOf(email.id)).toMatchObject({ status: 'UNCERTAIN', reason: null, batchId: null });
    expect(await eventsOf(email.id)).toEqual([]);
  });

  const said = (given: string) =>
    ({ class: given, code: null, reply: 550, text: `550 ${given}` }) as NonNullable<BatchResult['diagnosis']>;

  it('the diagnosis is that of the last refusal, and gone with a success; the events of a failure name its class', async () => {
    const { held, email } = await one();
    await held.settle({ outcome: 'retry', error: '450', waitMs: 0, diagnosis: said('unreachable') });
    const { diagnosis } = await emailOf(email.id);
    expect(diagnosis).toEqual({ ...said('unreachable'), at: expect.stringMatching(/^2.+Z$/) });
    const again = await ledger.takeOne(project.id);
    await again.held.settle({ outcome: 'failed', error: '550', diagnosis: said('blocked') });
    expect((await emailOf(email.id)).diagnosis).toMatchObject(said('blocked'));
    const [event] = await prisma().event.findMany({ where: { emailId: email.id } });
    expect(event).toMatchObject({ name: 'email.failed', data: { failureClass: 'blocked' } });
    expect(await prisma().suppression.count({ where: { projectId: project.id } })).toBe(0);
    expect(await prisma().contact.count({ where: { projectId: project.id, subscribed: false } })).toBe(0);
  });

  it('a success after a refusal leaves no diagnosis', async () => {
    const { held, email } = await one();
    await held.settle({ outcome: 'retry', error: '450', waitMs: 0, diagnosis: said('full') });
    await (await ledger.takeOne(project.id)).held.settle({ outcome: 'sent' });
    expect(await emailOf(email.id)).toMatchObject({ status: 'SENT', diagnosis: null });
  });

  describe('a hard bounce', () => {
    it('suppresses the address, unsubscribes the contact, and is told by events', async () => {
      const { held, email } = await one();
      await held.settle({
        outcome: 'failed',
        error: '550 5.1.1',
        hardBounce: true,
        diagnosis: said('closed'),
      });
      expect(await emailOf(email.id)).toMatchObject({ status: 'FAILED', bouncedAt: expect.any(Date) });
      expect(await prisma().suppression.findMany({ where: { projectId: project.id } })).toMatchObject([
        { email: email.to, reason: 'BOUNCE', emailId: email.id },
      ]);
      expect(await prisma().contact.findMany({ where: { projectId: project.id } })).toMatchObject([
        { subscribed: false },
      ]);
      const events = await prisma().event.findMany({ where: { contactId: email.contactId } });
      expect(events.map(({ name }) => name).toSorted()).toEqual([
        'contact.unsubscribed',
        'email.bounce',
        'email.failed',
      ]);
      expect(events.find(({ name }) => name === 'email.bounce')?.data).toMatchObject({
        bounceType: 'Permanent',
        bouncedAt: expect.stringMatching(/Z$/),
        bounceClass: 'closed',
        diagnosis: '550 closed',
      });
    });

    it('ends a snooze, so that its end does not subscribe the contact again, and says nothing of a change', async () => {
      const { held, email } = await one();
      await prisma().contact.update({
        where: { id: email.contactId ?? '' },
        data: { subscribed: false, snoozedUntil: new Date(Date.now() + 86_400_000), consentSeq: 1n },
      });
      await held.settle({ outcome: 'failed', error: '550 5.1.1', hardBounce: true });
      expect(await prisma().contact.findMany({ where: { projectId: project.id } })).toMatchObject([
        { subscribed: false, snoozedUntil: null },
      ]);
      const events = await prisma().event.findMany({ where: { contactId: email.contactId } });
      expect(events.map(({ name }) => name).toSorted()).toEqual(['email.bounce', 'email.failed']);
    });

    it('counts an email once, even when it bounces again after a retry', async () => {
      const campaignId = await sendingCampaign(ledger.test.services, project.id);
      const { held, email } = await one({ campaignId });
      await held.settle({ outcome: 'failed', error: '550', hardBounce: true });
      const batchId = newId();
      await prisma().deliveryBatch.create({
        data: {
          id: batchId,
          projectId: project.id,
          priority: 4,
          again: true,
          campaignId,
          emailIds: [email.id],
        },
      });
      await prisma().email.update({ where: { id: email.id }, data: { status: 'PENDING', batchId } });
      const again = await ledger.takeOne(project.id, 'bulk');
      await again.held.settle({ outcome: 'failed', error: '550', hardBounce: true });
      expect(await countersOf(ledger.test, campaignId)).toMatchObject({ bouncedCount: 1 });
    });

    it('of workflow email to a custom address does not affect the contact of the execution', async () => {
      const { held, email } = await one();
      await prisma().email.update({ where: { id: email.id }, data: { to: 'custom@people.test' } });
      await held.settle({ outcome: 'failed', error: '550', hardBounce: true });
      expect(await prisma().contact.findMany({ where: { projectId: project.id } })).toMatchObject([
        { subscribed: true },
      ]);
      expect(await prisma().suppression.count({ where: { email: 'custom@people.test' } })).toBe(1);
    });
  });

  it('two writes of different batches with the same contacts and campaigns do not lose counts', async () => {
    const campaignId = await sendingCampaign(ledger.test.services, project.id);
    await waitingMail(ledger.test.services, project.id, { count: 80, campaignId, batchSize: 10 });
    const held = await ledger.take(project.id, { kind: 'bulk' });
    await Promise.all(held.map((batch) => batch.settle({ outcome: 'sent' })));
    expect(await countersOf(ledger.test, campaignId)).toMatchObject({ sentCount: 80 });
    expect(await batches()).toEqual([]);
  });
});
