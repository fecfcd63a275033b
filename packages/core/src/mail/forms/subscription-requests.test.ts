import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { writeConsent } from '../../audience/consent/index.ts';
import { addSuppressions, upsertContact } from '../../audience/contacts/index.ts';
import { createTopic } from '../../audience/topics/index.ts';
import type { Context } from '../../base/kernel/index.ts';
import { newId } from '../../base/lib/index.ts';
import {
  createTestProject,
  createTestServices,
  type TestProject,
  type TestServices,
} from '../../testing/index.ts';
import { encodeConfirmLink } from '../message/index.ts';
import { answerSubscriptionRequest } from './answer-request.ts';
import { createForm } from './create-form.ts';
import { createSubscriptionRequest } from './create-subscription-request.ts';
import { expireSubscriptionRequests } from './expire-requests.ts';
import { getFormFigures } from './get-form-figures.ts';
import { listSubscriptionRequests } from './list-subscription-requests.ts';
import { guardForm } from './requests.store.ts';

let test: TestServices;
let project: TestProject;
let anyone: Context;

const prisma = () => test.services.database.prisma;

beforeAll(async () => {
  test = await createTestServices();
});
afterAll(() => test.close());

beforeEach(async () => {
  // The limits of an address in all projects outlive a project.
  await prisma().publicAttempt.deleteMany();
  project = await createTestProject(test.services, { name: 'Tulip Post' });
  anyone = { ...project.ctx, actor: { type: 'anonymous' }, project: null };
  const from = test.services.config.sandboxFrom;
  await prisma().project.update({
    where: { id: project.id },
    data: { consent: { confirmation: { from, fromName: null, replyTo: null, templateId: null } } },
  });
});

const ann = 'ann@people.test';
const request = (email = ann, more: object = {}) =>
  createSubscriptionRequest.run(project.ctx, { email, ...more });
const outcome = async (email = ann) => (await request(email)).outcome;
const contactOf = (email = ann) =>
  prisma().contact.findFirstOrThrow({ where: { projectId: project.id, email } });
const events = async () =>
  (await prisma().event.findMany({ where: { projectId: project.id }, orderBy: { createdAt: 'asc' } })).map(
    ({ name }) => name,
  );
const answer = (id: string, given: 'confirm' | 'decline') =>
  answerSubscriptionRequest.run(anyone, {
    token: encodeConfirmLink(test.services.secrets, id),
    answer: given,
  });
/** As if all limits of addresses had ended. */
const muchLater = () => prisma().publicAttempt.deleteMany();

describe('a request', () => {
  it('needs somebody who asks', async () => {
    await prisma().project.update({ where: { id: project.id }, data: { consent: {} } });
    await expect(request()).rejects.toMatchObject({ code: 'CONFLICT' });
  });

  it('stores the contact, the act, the event and the email, and subscribes nobody', async () => {
    const { request: made, outcome: came } = await request(ann, { data: { plan: 'pro' } });
    expect(came).toBe('sent');
    expect(made).toMatchObject({ email: ann, status: 'PENDING', topics: [], form: null });
    expect(await contactOf()).toMatchObject({ subscribed: false, stated: false, data: {} });
    expect(await events()).toEqual(['contact.subscription.requested']);
    expect(await prisma().email.findMany({ where: { projectId: project.id } })).toMatchObject([
      { id: made?.emailId, to: ann, type: 'TRANSACTIONAL' },
    ]);
    const { data } = await listSubscriptionRequests.run(project.ctx, { status: 'PENDING' });
    expect(data).toMatchObject([{ id: made?.id }]);
  });

  it('of a topic that the project does not have is 422', async () => {
    await expect(request(ann, { topics: ['general', 'none'] })).rejects.toMatchObject({
      errors: [{ field: 'topics.1', code: 'unknown_topic' }],
    });
  });

  it('confirming writes its data; of a contact that was there, only keys that it lacks', async () => {
    await upsertContact.run(project.ctx, { email: ann, subscribed: false, data: { plan: 'free' } });
    const { request: made } = await request(ann, { data: { plan: 'pro', city: 'Delft' } });
    expect(await answer(made?.id ?? '', 'confirm')).toMatchObject({ isNew: true });
    expect(await contactOf()).toMatchObject({
      subscribed: true,
      consentBasis: 'confirmed',
      data: { plan: 'free', city: 'Delft' },
    });
    expect(await answer(made?.id ?? '', 'decline')).toMatchObject({ isNew: false });
    expect(await contactOf()).toMatchObject({ subscribed: true });
  });

  it('two of a contact confirm their own topics', async () => {
    const news = await createTopic.run(project.ctx, { key: 'news', name: { en: 'News' }, default: 'OUT' });
    const { number } = await prisma().topic.findUniqueOrThrow({ where: { id: news.id } });
    const first = await request(ann, { topics: ['general'] });
    await muchLater();
    const second = await request(ann, { topics: ['news'] });
    await answer(first.request?.id ?? '', 'confirm');
    expect(await contactOf()).toMatchObject({ topicsOn: [1] });
    await answer(second.request?.id ?? '', 'confirm');
    expect(await contactOf()).toMatchObject({ topicsOn: [1, number] });
  });
});

describe('the first reason not to ask', () => {
  it('suppressed', async () => {
    await addSuppressions.run(project.ctx, { emails: [ann] });
    expect(await request()).toEqual({ request: null, outcome: 'suppressed' });
    expect(await prisma().email.count({ where: { projectId: project.id } })).toBe(0);
  });

  it('declined, for 90 days', async () => {
    const { request: made } = await request();
    await answer(made?.id ?? '', 'decline');
    expect(await contactOf()).toMatchObject({ subscribed: false, optOutBy: 'recipient' });
    await muchLater();
    expect(await outcome()).toBe('declined');
    await prisma().subscriptionRequest.updateMany({
      where: { projectId: project.id },
      data: { closedAt: new Date(Date.now() - 91 * 86_400_000) },
    });
    expect(await outcome()).toBe('sent');
  });

  it('already_subscribed: an email with the preference page', async () => {
    await upsertContact.run(project.ctx, { email: ann, subscribed: true });
    expect(await request()).toEqual({ request: null, outcome: 'already_subscribed' });
    expect(await prisma().email.count({ where: { projectId: project.id } })).toBe(1);
    expect(await outcome()).toBe('already_subscribed');
    expect(await prisma().email.count({ where: { projectId: project.id } })).toBe(1);
  });

  it('limited: a second email within an hour, a fourth within a day', async () => {
    expect([await outcome(), await outcome()]).toEqual(['sent', 'limited']);
    const hourLater = () => prisma().publicAttempt.deleteMany({ where: { scope: 'mail_hour' } });
    const outcomes: string[] = [];
    for (let hour = 0; hour < 3; hour += 1) {
      await hourLater();
      outcomes.push(await outcome());
    }
    expect(outcomes).toEqual(['sent', 'sent', 'limited']);
    const { id } = await contactOf();
    expect(
      await prisma().consentAct.count({ where: { contactId: id, effect: 'refused', refusal: 'limited' } }),
    ).toBe(2);
  });

  it('limited: 10 emails a day of all projects', async () => {
    const outcomes: string[] = [];
    for (let count = 0; count < 11; count += 1) {
      await prisma().publicAttempt.deleteMany({ where: { scope: { in: ['mail_hour', 'mail_day'] } } });
      outcomes.push(await outcome());
    }
    expect(outcomes.filter((each) => each === 'sent')).toHaveLength(10);
    expect(outcomes.at(-1)).toBe('limited');
  });

  it('limited: who opted out is asked once in 30 days', async () => {
    await upsertContact.run(project.ctx, { email: ann, subscribed: true });
    const { id } = await contactOf();
    await prisma().$transaction((db) =>
      writeConsent(
        db,
        project.id,
        { by: 'recipient', actor: 'recipient', source: 'page', reason: 'page' },
        { contact: id, kind: 'state', wanted: false },
      ),
    );
    expect(await contactOf()).toMatchObject({ optOutBy: 'recipient' });
    expect(await outcome()).toBe('sent');
    await prisma().publicAttempt.deleteMany({ where: { scope: { in: ['mail_hour', 'mail_day'] } } });
    expect(await outcome()).toBe('limited');
  });

  it('many at once are one email', async () => {
    const outcomes = await Promise.all(Array.from({ length: 8 }, () => outcome()));
    expect(outcomes.toSorted()).toEqual([...Array(7).fill('limited'), 'sent']);
    expect(await prisma().email.count({ where: { projectId: project.id } })).toBe(1);
  });
});

describe('what nobody answered', () => {
  it('expires, with acts and events, and can no longer be confirmed', async () => {
    const { request: made } = await request();
    await prisma().subscriptionRequest.updateMany({
      where: { projectId: project.id },
      data: { expiresAt: new Date(Date.now() - 1_000) },
    });
    expect(await answer(made?.id ?? '', 'confirm')).toMatchObject({ isNew: false });
    await expireSubscriptionRequests(test.services, 1_000);
    expect(await events()).toContain('contact.subscription.expired');
    expect(await contactOf()).toMatchObject({ subscribed: false, pendingUntil: null });
    expect(await answer(made?.id ?? '', 'confirm')).toMatchObject({
      isNew: false,
      request: { state: 'expired' },
    });
  });
});

describe('a form of which too few requests are confirmed', () => {
  const form = () =>
    createForm.run(project.ctx, {
      name: 'Footer',
      enabled: true,
      title: { en: 'News' },
      consentText: { en: 'Yes' },
    });
  const requests = async (formId: string, count: number, confirmed: number) => {
    const { id: contactId } = await upsertContact.run(project.ctx, { email: ann });
    const requestedAt = new Date(Date.now() - 30 * 60_000);
    await prisma().subscriptionRequest.createMany({
      data: Array.from({ length: count }, (_, index) => ({
        ...{ id: newId(), projectId: project.id, contactId, formId, formVersion: 1, topics: [1] },
        ...{ requestedAt, expiresAt: new Date(Date.now() + 86_400_000) },
        status: index < confirmed ? ('CONFIRMED' as const) : ('EXPIRED' as const),
      })),
    });
  };
  const guarded = async (id: string) => {
    await guardForm(prisma(), id);
    return (await prisma().form.findUniqueOrThrow({ where: { id } })).guardedUntil !== null;
  };

  it('is guarded from 50 requests on, below a tenth', async () => {
    const few = await form();
    await requests(few.id, 49, 0);
    expect(await guarded(few.id)).toBe(false);
    const enough = await form();
    await requests(enough.id, 50, 5);
    expect(await guarded(enough.id)).toBe(false);
    const many = await form();
    await requests(many.id, 50, 4);
    expect(await guarded(many.id)).toBe(true);
  });

  it('has figures by day', async () => {
    const { id } = await form();
    expect(await getFormFigures.run(project.ctx, { id })).toEqual({ days: [] });
  });
});
