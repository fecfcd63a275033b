import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { endSuppressions } from '../../audience/contacts/index.ts';
import { trackEvent } from '../../audience/events/index.ts';
import { newId } from '../../base/lib/index.ts';
import {
  createTestProject,
  createTestServices,
  sendingCampaign,
  type TestProject,
  type TestServices,
  type WaitingEmail,
  waitingMail,
} from '../../testing/index.ts';
import type { BounceType, Diagnosis } from '../diagnosis/index.ts';
import { getEmail } from '../sending/get-email.ts';
import { listEmails } from '../sending/list-emails.ts';
import { applyDeliveryNews } from './apply-news.ts';
import type { DeliveryNews, NewsOutcome } from './news.rules.ts';

let test: TestServices;
let project: TestProject;
let campaignId: string;

beforeAll(async () => {
  test = await createTestServices();
});
afterAll(() => test.close());

beforeEach(async () => {
  project = await createTestProject(test.services);
  campaignId = await sendingCampaign(test.services, project.id);
});

const database = () => test.services.database.prisma;

/** An email of the campaign in a state; SENT unless `change` says otherwise. */
async function mail(change: Parameters<typeof patch>[1] = {}, keepBatch = false): Promise<WaitingEmail> {
  const [row] = await waitingMail(test.services, project.id, { count: 1, campaignId });
  if (!row) throw new Error('no email was made');
  if (!keepBatch) await database().deliveryBatch.delete({ where: { id: row.batchId } });
  await patch(row.id, {
    status: 'SENT',
    sentAt: new Date(),
    ...(keepBatch ? {} : { batchId: null }),
    ...change,
  });
  return row;
}
const patch = (id: string, data: NonNullable<Parameters<typeof update>[0]['data']>) =>
  update({ where: { id }, data });
const update = (args: Parameters<ReturnType<typeof database>['email']['update']>[0]) =>
  database().email.update(args);

type Kind = Exclude<DeliveryNews['kind'], 'bounce'>;
const news = (emailId: string, kind: Kind, detail: string | null = null): DeliveryNews => ({
  key: newId(),
  emailId,
  kind,
  at: new Date(),
  isProven: true,
  detail,
});
const classes = { Permanent: 'no_mailbox', Transient: 'full', Undetermined: 'blocked' } as const;
const bounce = (
  emailId: string,
  bounceType: BounceType,
  at = new Date(),
  given: Diagnosis['class'] = classes[bounceType],
): DeliveryNews => ({
  key: newId(),
  emailId,
  kind: 'bounce',
  bounceType,
  diagnosis: { class: given, code: null, reply: 550, text: 'no such user' },
  at,
  isProven: true,
  detail: 'no such user',
});
const apply = (given: DeliveryNews): Promise<NewsOutcome> => applyDeliveryNews(test.services, given);

const emailOf = (id: string) => database().email.findUniqueOrThrow({ where: { id } });
const eventsOf = async () =>
  (await database().event.findMany({ where: { projectId: project.id }, orderBy: { id: 'asc' } })).map(
    ({ name }) => name,
  );
const interactionsOf = async (emailId: string) =>
  (await database().interaction.findMany({ where: { emailId }, orderBy: { at: 'asc' } })).map(
    ({ type }) => type,
  );
const suppressions = () => database().suppression.findMany({ where: { projectId: project.id } });
const counters = () => database().campaignCounter.findUniqueOrThrow({ where: { campaignId } });
const contactOf = (id: string) => database().contact.findUniqueOrThrow({ where: { id } });
const daysAgo = (days: number): Date => new Date(Date.now() - days * 86_400_000);

describe('a permanent bounce', () => {
  it('suppresses the address, unsubscribes the contact, counts and emits events', async () => {
    const { id, to, contactId } = await mail();
    expect(await apply(bounce(id, 'Permanent'))).toBe('applied');
    expect(await emailOf(id)).toMatchObject({ status: 'BOUNCED', bouncedAt: expect.any(Date) });
    expect(await suppressions()).toMatchObject([{ email: to, reason: 'BOUNCE', emailId: id }]);
    expect(await contactOf(contactId)).toMatchObject({ subscribed: false });
    expect((await eventsOf()).toSorted()).toEqual(['contact.unsubscribed', 'email.bounce']);
    expect(await counters()).toMatchObject({ bouncedCount: 1, sentCount: 0 });
    expect(await database().reputationCheck.count({ where: { projectId: project.id } })).toBe(1);
    const { interactions } = await getEmail.run(project.ctx, { id });
    expect(interactions).toMatchObject([{ type: 'bounce', detail: 'no such user', link: null, bot: false }]);
  });

  it('counts once however often and by how many reports it arrives, also at the same time', async () => {
    const { id } = await mail();
    const report = bounce(id, 'Permanent');
    const outcomes = await Promise.all([apply(report), apply(report), apply(report)]);
    expect(outcomes.toSorted()).toEqual(['applied', 'repeated', 'repeated']);
    expect(await apply(bounce(id, 'Permanent'))).toBe('applied');
    expect((await eventsOf()).filter((name) => name === 'email.bounce')).toHaveLength(1);
    expect(await counters()).toMatchObject({ bouncedCount: 1 });
  });

  it('ends a snooze without an event', async () => {
    const { id, contactId } = await mail();
    await database().contact.update({
      where: { id: contactId },
      data: { subscribed: false, snoozedUntil: new Date(Date.now() + 86_400_000), consentSeq: 1n },
    });
    await apply(bounce(id, 'Permanent'));
    expect(await contactOf(contactId)).toMatchObject({ subscribed: false, snoozedUntil: null });
    expect(await eventsOf()).toEqual(['email.bounce']);
  });

  it('of test mail changes its record only', async () => {
    const { id, contactId } = await mail({ sourceType: 'TEST', campaignId: null });
    await apply(bounce(id, 'Permanent'));
    expect(await emailOf(id)).toMatchObject({ status: 'BOUNCED' });
    expect(await suppressions()).toEqual([]);
    expect(await eventsOf()).toEqual([]);
    expect(await contactOf(contactId)).toMatchObject({ subscribed: true });
  });
});

it('a complaint is COMPLAINED, keeps the first suppression and unsubscribes', async () => {
  const { id, to } = await mail();
  await apply(news(id, 'complaint', 'abuse'));
  expect(await emailOf(id)).toMatchObject({ status: 'COMPLAINED', complainedAt: expect.any(Date) });
  expect(await suppressions()).toMatchObject([{ email: to, reason: 'COMPLAINT' }]);
  await apply(bounce(id, 'Permanent'));
  expect(await emailOf(id)).toMatchObject({ status: 'COMPLAINED', bouncedAt: expect.any(Date) });
  expect(await suppressions()).toMatchObject([{ reason: 'COMPLAINT' }]);
  expect(await counters()).toMatchObject({ complainedCount: 1, bouncedCount: 1 });
  const unsubscribed = await database().event.findFirst({
    where: { name: 'contact.unsubscribed', projectId: project.id },
  });
  expect(unsubscribed?.data).toEqual({ reason: 'complaint' });
});

it('an opt-out by a feedback report unsubscribes, and is no complaint, suppression or mark of the project', async () => {
  const { id, contactId } = await mail();
  const before = await emailOf(id);
  await apply(news(id, 'opt_out', 'opt-out'));
  await apply(news(id, 'opt_out', 'opt-out'));
  expect(await emailOf(id)).toEqual(before);
  expect(await suppressions()).toEqual([]);
  expect(await counters()).toMatchObject({ complainedCount: 0, bouncedCount: 0 });
  expect(await contactOf(contactId)).toMatchObject({ subscribed: false, optedOutAt: expect.any(Date) });
  expect(await interactionsOf(id)).toEqual(['unknown', 'unknown']);
  const events = await database().event.findMany({ where: { projectId: project.id } });
  expect(events.map(({ name, data }) => [name, data])).toEqual([
    ['contact.unsubscribed', { reason: 'complaint' }],
  ]);
});

it('an opt-out that an email to another person or of test mail brings unsubscribes nobody', async () => {
  const { id, contactId } = await mail({ sourceType: 'TEST' });
  await apply(news(id, 'opt_out'));
  expect(await contactOf(contactId)).toMatchObject({ subscribed: true });
});

describe('later news never lower a status', () => {
  it.each([
    ['delivered', 'SENT', 'DELIVERED'],
    ['delivered', 'CLICKED', 'CLICKED'],
    ['sent', 'DELIVERED', 'DELIVERED'],
    ['delay', 'SENT', 'SENT'],
    ['auto_reply', 'OPENED', 'OPENED'],
    ['unknown', 'BOUNCED', 'BOUNCED'],
  ] as const)('%s of a %s email: %s', async (kind, before, after) => {
    const { id } = await mail({ status: before });
    await apply(news(id, kind));
    expect((await emailOf(id)).status).toBe(after);
  });

  it('a delivery emits one event', async () => {
    const { id } = await mail();
    await apply(news(id, 'delivered'));
    await apply(news(id, 'delivered'));
    expect(await eventsOf()).toEqual(['email.delivery']);
    expect(await counters()).toMatchObject({ deliveredCount: 1 });
  });

  it.each(['FAILED', 'SKIPPED'] as const)('news about a %s email is an interaction only', async (status) => {
    const { id, contactId } = await mail({ status, sentAt: null });
    await apply(bounce(id, 'Permanent'));
    await apply(news(id, 'delivered'));
    expect(await emailOf(id)).toMatchObject({ status, bouncedAt: null, deliveredAt: null });
    expect((await interactionsOf(id)).toSorted()).toEqual(['bounce', 'unknown']);
    expect(await eventsOf()).toEqual([]);
    expect(await contactOf(contactId)).toMatchObject({ subscribed: true });
  });
});

it.each(['bounce', 'complaint'] as const)(
  'an opt-out by a %s is not lifted by a public key',
  async (kind) => {
    const { id, to, contactId } = await mail();
    await apply(kind === 'bounce' ? bounce(id, 'Permanent') : news(id, 'complaint', 'abuse'));
    await trackEvent.run(project.publicCtx, { email: to, event: 'seen', subscribed: true });
    expect(await contactOf(contactId)).toMatchObject({ subscribed: false });
  },
);

describe('news about an email whose transfer has no known outcome', () => {
  it.each([
    ['sent', 'SENT'],
    ['delay', 'SENT'],
    ['delivered', 'DELIVERED'],
    ['complaint', 'COMPLAINED'],
  ] as const)('%s makes an UNCERTAIN one %s', async (kind, status) => {
    const { id } = await mail({
      status: 'UNCERTAIN',
      sentAt: null,
      uncertainAt: new Date(),
      error: 'no answer',
    });
    await database().campaignCounter.update({ where: { campaignId }, data: { uncertainCount: 1 } });
    await apply(news(id, kind));
    expect(await emailOf(id)).toMatchObject({
      status,
      sentAt: expect.any(Date),
      uncertainAt: null,
      error: null,
    });
    expect(await counters()).toMatchObject({ sentCount: 1, uncertainCount: 0 });
  });

  it('an unknown message proves nothing', async () => {
    const { id } = await mail({ status: 'UNCERTAIN', sentAt: null });
    await apply(news(id, 'unknown'));
    expect(await emailOf(id)).toMatchObject({ status: 'UNCERTAIN', sentAt: null });
  });

  it('a delay leaves an email that a worker holds to its answer', async () => {
    const { id, batchId } = await mail({ status: 'PENDING', sentAt: null }, true);
    await database().deliveryBatch.update({ where: { id: batchId }, data: { token: newId() } });
    await apply(news(id, 'delay'));
    expect(await emailOf(id)).toMatchObject({ status: 'PENDING', batchId, sentAt: null });
    expect(await apply(news(id, 'rejected', 'virus'))).toBe('too_early');
    await apply(bounce(id, 'Permanent'));
    expect(await emailOf(id)).toMatchObject({ status: 'BOUNCED', batchId });
  });
});

it('a rejection makes an email FAILED, with the text, and takes it out of the sent ones', async () => {
  const { id } = await mail();
  await database().campaignCounter.update({ where: { campaignId }, data: { sentCount: 1 } });
  const report = news(id, 'rejected', 'Bad content');
  expect(await apply(report)).toBe('applied');
  expect(await apply(report)).toBe('repeated');
  expect(await emailOf(id)).toMatchObject({ status: 'FAILED', error: 'Bad content', sentAt: null });
  expect(await counters()).toMatchObject({ sentCount: 0, failedCount: 1 });
  expect(await eventsOf()).toEqual(['email.failed']);
});

describe('soft bounces', () => {
  const soft = async (days: number[], id: string): Promise<void> => {
    for (const each of days) await apply(bounce(id, 'Transient', daysAgo(each)));
  };

  it('emit a transient bounce event and change no status', async () => {
    const { id } = await mail();
    await apply(bounce(id, 'Undetermined'));
    expect((await emailOf(id)).status).toBe('SENT');
    const event = await database().event.findFirstOrThrow({ where: { emailId: id } });
    expect(event).toMatchObject({
      name: 'email.bounce',
      data: { bounceType: 'Undetermined', transientBounce: true },
    });
    expect(await counters()).toMatchObject({ bouncedCount: 0 });
  });

  it.each([
    ['five in nine days suppress nobody', [9, 7, 5, 3, 0], undefined],
    ['four in twelve days suppress nobody', [12, 8, 4, 0], undefined],
    ['five in ten days suppress for 30 days', [10.5, 8, 5, 2, 0], 'for a while'],
    ['five in ninety days suppress for good', [91, 60, 30, 10, 0], 'for good'],
  ])('%s', async (_, days, expected) => {
    const { id, to } = await mail();
    await soft(days.slice(0, -1), id);
    expect(await suppressions()).toEqual([]);
    await soft(days.slice(-1), id);
    const [found] = await suppressions();
    const kind = found && (found.expiresAt === null ? 'for good' : 'for a while');
    expect(kind).toBe(expected);
    if (!found) return;
    expect(found).toMatchObject({ email: to, reason: 'BOUNCE', emailId: id });
    if (found.expiresAt) expect(Math.round((found.expiresAt.getTime() - Date.now()) / 86_400_000)).toBe(30);
    expect(await database().contact.count({ where: { projectId: project.id, subscribed: false } })).toBe(0);
  });

  it('one after the end of a suppression suppresses again at once', async () => {
    const { id } = await mail();
    await soft([50, 48, 45, 42, 39], id);
    expect(await suppressions()).toHaveLength(1);
    expect(await endSuppressions(database(), new Date('2100-01-01'), 10)).toBeGreaterThan(0);
    await soft([0], id);
    expect(await suppressions()).toMatchObject([{ expiresAt: expect.any(Date) }]);
  });

  it('are of a full mailbox or an unreachable server only: fifty blocks suppress nobody', async () => {
    const { id } = await mail();
    for (let day = 50; day > 0; day -= 1) {
      await apply(bounce(id, 'Undetermined', daysAgo(day), 'blocked'));
      await apply(bounce(id, 'Transient', daysAgo(day), 'authentication'));
    }
    expect(await suppressions()).toEqual([]);
  });

  it('are reports of failures that say nothing, too', async () => {
    const { id } = await mail();
    for (const day of [12, 9, 6, 3, 0])
      await apply({ ...bounce(id, 'Undetermined', daysAgo(day), 'other'), isUnread: true } as DeliveryNews);
    expect(await suppressions()).toHaveLength(1);
  });

  it('a hard bounce or a complaint makes a suppression that ends a lasting one; a soft one changes none', async () => {
    const { id, to } = await mail();
    await soft([11, 8, 5, 2, 0], id);
    expect(await suppressions()).toMatchObject([{ expiresAt: expect.any(Date) }]);
    await apply(news(id, 'complaint'));
    expect(await suppressions()).toMatchObject([{ email: to, reason: 'COMPLAINT', expiresAt: null }]);
    await soft([0], id);
    expect(await suppressions()).toMatchObject([{ reason: 'COMPLAINT', expiresAt: null }]);
  });

  it.each([
    ['a delivery of any email to the address', { deliveredAt: 5 }],
    ['an email that was handed over five days ago without a report', { sentAt: 8.5 }],
  ])(
    'are counted again from the start after %s',
    async (_, { deliveredAt, sentAt }: Record<string, number>) => {
      const { id, contactId, to } = await mail();
      await soft([12, 9, 6], id);
      const other = await mail({ contactId: null });
      const when = {
        ...(deliveredAt && { deliveredAt: daysAgo(deliveredAt) }),
        ...(sentAt && { sentAt: daysAgo(sentAt) }),
      };
      await patch(other.id, { contactId, to, campaignId: null, ...when });
      await soft([3, 1, 0], id);
      expect(await suppressions()).toEqual([]);
    },
  );
});

describe('the diagnosis of an email', () => {
  it('is what the last report said, with its time; of a dead address the final one', async () => {
    const { id } = await mail();
    expect((await emailOf(id)).diagnosis).toBeNull();
    const at = daysAgo(2);
    await apply(bounce(id, 'Transient', at));
    expect((await emailOf(id)).diagnosis).toEqual({
      class: 'full',
      code: null,
      reply: 550,
      text: 'no such user',
      at: at.toISOString(),
    });
    await apply(bounce(id, 'Permanent', daysAgo(1)));
    await apply(bounce(id, 'Undetermined', daysAgo(0)));
    expect((await emailOf(id)).diagnosis).toMatchObject({ class: 'no_mailbox' });
    expect((await getEmail.run(project.ctx, { id })).diagnosis).toMatchObject({
      class: 'no_mailbox',
      reply: 550,
    });
  });

  it('is in the event of the bounce', async () => {
    const { id } = await mail();
    await apply(bounce(id, 'Undetermined'));
    const event = await database().event.findFirstOrThrow({ where: { emailId: id } });
    expect(event.data).toMatchObject({ bounceClass: 'blocked', diagnosis: 'no such user' });
  });

  it('is in the list of emails, which it filters, in this project only', async () => {
    const { id } = await mail();
    await mail();
    await apply(bounce(id, 'Undetermined'));
    const found = await listEmails.run(project.ctx, { class: 'blocked' });
    expect(found.data).toMatchObject([{ id, diagnosis: { class: 'blocked' } }]);
    expect((await listEmails.run(project.ctx, { class: 'full' })).data).toEqual([]);
    const other = await createTestProject(test.services);
    expect((await listEmails.run(other.ctx, { class: 'blocked' })).data).toEqual([]);
    await expect(listEmails.runRaw(project.ctx, { class: 'x' })).rejects.toMatchObject({
      code: 'BAD_REQUEST',
    });
  });
});

it('a flood of reports about one email is stored up to 20 an hour', async () => {
  const { id } = await mail();
  for (let n = 0; n < 25; n += 1) await apply(news(id, 'unknown', `message ${n}`));
  expect(await interactionsOf(id)).toHaveLength(20);
});

it('a detail is one line of at most 500 characters', async () => {
  const { id } = await mail();
  await apply(news(id, 'unknown', `a\r\nb\u0000${'x'.repeat(900)}`));
  const { interactions } = await getEmail.run(project.ctx, { id });
  expect(interactions[0]?.detail).toBe(`a b ${'x'.repeat(496)}`);
});

it('an unknown email leaves nothing', async () => {
  const report = bounce(newId(), 'Permanent');
  expect(await apply(report)).toBe('unknown_email');
  expect(await database().providerNotice.count({ where: { id: report.key } })).toBe(0);
});

describe('news without a proof', () => {
  const checks = () => database().reputationCheck.count({ where: { projectId: project.id } });

  it('have every effect of proven ones on the email and its recipient, and are remembered', async () => {
    const { id, to, contactId } = await mail();
    await apply({ ...bounce(id, 'Permanent'), isProven: false });
    expect(await emailOf(id)).toMatchObject({ status: 'BOUNCED', unprovenNews: true });
    expect(await suppressions()).toMatchObject([{ email: to, reason: 'BOUNCE' }]);
    expect(await contactOf(contactId)).toMatchObject({ subscribed: false });
    expect(await eventsOf()).toContain('email.bounce');
  });

  it('are certain once proven news of the same kind follow, and the project is checked again', async () => {
    const { id } = await mail();
    await apply({ ...news(id, 'complaint'), isProven: false });
    await database().reputationCheck.deleteMany({ where: { projectId: project.id } });
    await apply(bounce(id, 'Transient'));
    await apply({ ...news(id, 'complaint'), isProven: false });
    expect(await emailOf(id)).toMatchObject({ unprovenNews: true });
    await database().reputationCheck.deleteMany({ where: { projectId: project.id } });
    await apply(news(id, 'complaint'));
    expect(await emailOf(id)).toMatchObject({ unprovenNews: false, status: 'COMPLAINED' });
    expect(await checks()).toBe(1);
    expect((await eventsOf()).filter((name) => name === 'email.complaint')).toHaveLength(1);
    expect(await counters()).toMatchObject({ complainedCount: 1 });
  });

  it('do not put proven news in doubt, nor do news without effect', async () => {
    const { id } = await mail();
    await apply(bounce(id, 'Permanent'));
    await apply({ ...bounce(id, 'Permanent'), isProven: false });
    await apply({ ...news(id, 'delay'), isProven: false });
    expect(await emailOf(id)).toMatchObject({ unprovenNews: false });
  });

  it('of one kind stay in doubt when news of the other kind are proven', async () => {
    const { id } = await mail();
    await apply({ ...bounce(id, 'Permanent'), isProven: false });
    await apply(news(id, 'complaint'));
    expect(await emailOf(id)).toMatchObject({ unprovenNews: true });
  });
});
