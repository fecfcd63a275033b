import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type Statement, writeConsent } from '../../audience/consent/index.ts';
import { deleteContact, updateContact, upsertContact } from '../../audience/contacts/index.ts';
import { recordEvent, trackEvent } from '../../audience/events/index.ts';
import { createTopic } from '../../audience/topics/index.ts';
import type { Context } from '../../base/kernel/index.ts';
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
import { encodeLink } from '../message/index.ts';
import { changePreferences } from './change-preferences.ts';
import { getPreferences } from './get-preferences.ts';

let test: TestServices;
let project: TestProject;
let anyone: Context;
let campaignId: string;
let email: WaitingEmail;
let token: string;

beforeAll(async () => {
  test = await createTestServices();
});
afterAll(() => test.close());

beforeEach(async () => {
  project = await createTestProject(test.services, { name: 'Tulip Post' });
  anyone = { ...project.ctx, actor: { type: 'anonymous' }, project: null };
  campaignId = await sendingCampaign(test.services, project.id);
  const [row] = await waitingMail(test.services, project.id, { count: 1, campaignId });
  if (!row) throw new Error('no email was made');
  email = row;
  token = tokenOf(email.contactId, email.id);
});

const tokenOf = (contactId: string | null, emailId: string | null): string =>
  encodeLink(test.services.secrets, { kind: 'preferences', contactId, emailId });

type Choice =
  | { action: 'subscribe' }
  | { action: 'unsubscribe'; scope?: 'topic' | 'all' }
  | { action: 'save'; topics: string[] }
  | { action: 'snooze'; duration: '2w' | '1m' | '6m' | '1y' };
const choose = (choice: Choice, with_ = token, source: 'page' | 'one_click' = 'page') =>
  changePreferences.run(anyone, { ...choice, token: with_, source });

/** What somebody else says of the contact. */
const say = (statement: Omit<Statement, 'contact'>) =>
  writeConsent(
    test.services.database.prisma,
    project.id,
    { by: 'single', source: 'api', actor: 'key' },
    { ...statement, contact: email.contactId },
  );
const acts = () =>
  test.services.database.prisma.consentAct.findMany({
    where: { contactId: email.contactId },
    orderBy: { seq: 'asc' },
    select: { action: true, effect: true, refusal: true, source: true, actor: true },
  });

const contactOf = () =>
  test.services.database.prisma.contact.findUniqueOrThrow({ where: { id: email.contactId } });
const events = () =>
  test.services.database.prisma.event.findMany({
    where: { contactId: email.contactId },
    orderBy: { id: 'asc' },
  });
const optOuts = async () =>
  (await test.services.database.prisma.campaignCounter.findUniqueOrThrow({ where: { campaignId } }))
    .unsubscribedCount;

describe('getPreferences', () => {
  it('returns the subscription of the contact', async () => {
    expect(await getPreferences.run(anyone, { token })).toMatchObject({
      kind: 'contact',
      email: email.to,
      status: 'subscribed',
      snoozedUntil: null,
      topics: [{ key: 'general', name: 'News and offers', wanted: true }],
      emailTopic: null,
      language: 'en',
      project: { name: 'Tulip Post', privacyUrl: null },
      inert: false,
    });
  });

  it.each([
    ['the contact’s', 'de-AT', 'fr', 'de'],
    ['the project’s where there is none', null, 'pt', 'pt'],
    ['the contact’s as another program writes it', 'pl_PL.UTF-8@euro', 'fr', 'pl'],
    ['the project’s where the contact’s names no language', 'POSIX', 'it', 'it'],
    ['the project’s where the contact’s is not offered', 'sv', 'ja', 'ja'],
    ['English where neither is offered', 'sv', 'fi', 'en'],
  ])('language: %s', async (_what, locale, language, expected) => {
    const { prisma } = test.services.database;
    await prisma.project.update({ where: { id: project.id }, data: { language } });
    await prisma.contact.update({ where: { id: email.contactId }, data: { data: locale ? { locale } : {} } });
    expect(await getPreferences.run(anyone, { token })).toMatchObject({ language: expected });
  });

  it('null for a token that is changed, of another type, or of a contact that nobody knows', async () => {
    const changed = `${token.slice(0, -1)}${token.endsWith('A') ? 'B' : 'A'}`;
    const other = encodeLink(test.services.secrets, { kind: 'open', emailId: email.id });
    for (const bad of [changed, other, '', 'x'.repeat(2_000), tokenOf(newId(), null), tokenOf(null, null)]) {
      expect(await getPreferences.run(anyone, { token: bad })).toBeNull();
      expect(await choose({ action: 'unsubscribe' }, bad)).toBeNull();
    }
  });
});

describe('unsubscribe', () => {
  it.each(['page', 'one_click'] as const)('by %s: one event with the email, counted once', async (source) => {
    const [first, second] = [
      await choose({ action: 'unsubscribe' }, token, source),
      await choose({ action: 'unsubscribe' }, token, source),
    ];
    expect(first).toMatchObject({
      result: 'changed',
      found: { status: 'unsubscribed', snoozedUntil: null },
    });
    expect(second).toEqual(first);
    expect(await acts()).toMatchObject([
      { action: 'unsubscribe', effect: 'changed', source, actor: 'recipient' },
      { action: 'unsubscribe', effect: 'unchanged', source, actor: 'recipient' },
    ]);
    expect(await contactOf()).toMatchObject({ subscribed: false, snoozedUntil: null });
    expect(await events()).toMatchObject([
      { kind: 'SYSTEM', name: 'contact.unsubscribed', data: { reason: source }, emailId: email.id },
    ]);
    expect(await optOuts()).toBe(1);
  });

  it('many concurrent ones are one change', async () => {
    await Promise.all(Array.from({ length: 8 }, () => choose({ action: 'unsubscribe' }, token, 'one_click')));
    expect((await events()).length).toBe(1);
    expect(await optOuts()).toBe(1);
  });

  it('repeated changes of a contact count once per email', async () => {
    await choose({ action: 'unsubscribe' });
    await choose({ action: 'subscribe' });
    await choose({ action: 'unsubscribe' });
    expect((await events()).map(({ name }) => name)).toEqual([
      'contact.unsubscribed',
      'contact.subscribed',
      'contact.unsubscribed',
    ]);
    expect(await optOuts()).toBe(1);
  });

  it('without an email in the token nothing is counted', async () => {
    await choose({ action: 'unsubscribe' }, tokenOf(email.contactId, null));
    expect(await events()).toMatchObject([{ name: 'contact.unsubscribed', emailId: null }]);
    expect(await optOuts()).toBe(0);
  });

  it('works for a project that is disabled', async () => {
    await test.services.database.prisma.project.update({
      where: { id: project.id },
      data: { disabled: true },
    });
    await choose({ action: 'unsubscribe' });
    expect((await contactOf()).subscribed).toBe(false);
  });
});

describe('subscribe', () => {
  it('of a subscribed contact changes nothing', async () => {
    const before = await contactOf();
    await choose({ action: 'subscribe' });
    expect(await contactOf()).toEqual(before);
    expect(await events()).toEqual([]);
  });

  it('removes the opt-out of an earlier contact', async () => {
    const { prisma } = test.services.database;
    const addressHash = Uint8Array.from(test.services.secrets.addressHash(project.id, email.to));
    await prisma.optOut.create({ data: { projectId: project.id, addressHash } });
    await say({ kind: 'state', wanted: false });
    await choose({ action: 'subscribe' });
    expect(await prisma.optOut.count({ where: { projectId: project.id } })).toBe(0);
    expect(await events()).toMatchObject([{ name: 'contact.subscribed', data: { reason: 'page' } }]);
  });
});

describe('snooze', () => {
  const endOf = (duration: '2w' | '1m' | '6m' | '1y', from: Date): Date => {
    const date = new Date(from);
    if (duration === '2w') date.setUTCDate(date.getUTCDate() + 14);
    else {
      const day = date.getUTCDate();
      date.setUTCMonth(date.getUTCMonth() + { '1m': 1, '6m': 6, '1y': 12 }[duration]);
      // A month without that day ends on its last one.
      if (date.getUTCDate() !== day) date.setUTCDate(0);
    }
    return date;
  };

  it.each(['2w', '1m', '6m', '1y'] as const)(
    '%s: until that long from now, as an opt-out',
    async (duration) => {
      const before = new Date();
      const result = await choose({ action: 'snooze', duration });
      const { subscribed, snoozedUntil } = await contactOf();
      expect(subscribed).toBe(false);
      const until = snoozedUntil?.getTime() ?? 0;
      expect(until).toBeGreaterThanOrEqual(endOf(duration, before).getTime() - 1_000);
      expect(until).toBeLessThanOrEqual(endOf(duration, new Date()).getTime() + 1_000);
      expect(result).toMatchObject({
        found: { status: 'snoozed', snoozedUntil: snoozedUntil?.toISOString() },
      });
      expect(await events()).toMatchObject([
        {
          name: 'contact.unsubscribed',
          data: { reason: 'snooze', snoozedUntil: snoozedUntil?.toISOString() },
          emailId: email.id,
        },
      ]);
      expect(await optOuts()).toBe(1);
    },
  );

  it('another duration moves its end without an event; unsubscribing ends it without one', async () => {
    await choose({ action: 'snooze', duration: '2w' });
    const { snoozedUntil } = await contactOf();
    await choose({ action: 'snooze', duration: '6m' });
    const moved = (await contactOf()).snoozedUntil;
    expect(moved?.getTime()).toBeGreaterThan(snoozedUntil?.getTime() ?? 0);
    await choose({ action: 'unsubscribe' });
    expect(await contactOf()).toMatchObject({ subscribed: false, snoozedUntil: null });
    expect((await events()).length).toBe(1);
  });

  it('subscribing ends it with an event', async () => {
    await choose({ action: 'snooze', duration: '1y' });
    await choose({ action: 'subscribe' });
    expect(await contactOf()).toMatchObject({ subscribed: true, snoozedUntil: null });
    expect((await events()).map(({ data }) => data)).toMatchObject([
      { reason: 'snooze' },
      { reason: 'page' },
    ]);
  });

  it('of who receives nothing changes nothing, and is recorded as refused', async () => {
    await choose({ action: 'unsubscribe' });
    for (const duration of ['2w', '1m', '6m', '1y'] as const)
      expect(await choose({ action: 'snooze', duration })).toMatchObject({
        result: 'not_subscribed',
        found: { status: 'unsubscribed' },
      });
    expect(await contactOf()).toMatchObject({ subscribed: false, snoozedUntil: null });
    expect((await acts()).slice(1)).toMatchObject(
      Array.from({ length: 4 }, () => ({ action: 'snooze', effect: 'refused', refusal: 'not_subscribed' })),
    );
  });

  it('snooze, unsubscribe, snooze: three acts, and unsubscribed', async () => {
    await choose({ action: 'snooze', duration: '2w' });
    await choose({ action: 'unsubscribe' });
    await choose({ action: 'snooze', duration: '2w' });
    expect((await acts()).map(({ action, effect }) => `${action} ${effect}`)).toEqual([
      'snooze changed',
      'unsubscribe changed',
      'snooze refused',
    ]);
    expect(await contactOf()).toMatchObject({ subscribed: false, snoozedUntil: null });
  });

  it('needs a known duration', async () => {
    for (const duration of [undefined, null, '3w', '']) {
      await expect(
        changePreferences.runRaw(anyone, { token, action: 'snooze', duration, source: 'page' }),
      ).rejects.toMatchObject({ code: 'VALIDATION_ERROR' });
    }
    expect((await contactOf()).subscribed).toBe(true);
  });
});

describe('a public key, which any visitor of a web page has', () => {
  const visit = () => trackEvent.run(project.publicCtx, { email: email.to, event: 'seen', subscribed: true });
  const isSubscribed = async (): Promise<boolean | undefined> =>
    (await test.services.database.prisma.contact.findFirst({ where: { email: email.to } }))?.subscribed;

  it.each([
    ['page', { action: 'unsubscribe' }, 'page'],
    ['one click', { action: 'unsubscribe' }, 'one_click'],
    ['snooze', { action: 'snooze', duration: '2w' }, 'page'],
  ] as const)('does not lift an opt-out by %s', async (_what, choice, source) => {
    await choose(choice, token, source);
    const before = await contactOf();
    const { event } = await visit();
    expect(await contactOf()).toEqual(before);
    expect(await events()).toMatchObject([{ name: 'contact.unsubscribed' }, { id: event, name: 'seen' }]);
  });

  it('does not lift it in requests that arrive together', async () => {
    await choose({ action: 'unsubscribe' });
    await Promise.all(Array.from({ length: 20 }, visit));
    expect(await isSubscribed()).toBe(false);
    expect((await events()).map(({ name }) => name)).not.toContain('contact.subscribed');
  });

  it('does not lift one made while the contact was unsubscribed by a request already', async () => {
    await updateContact.run(project.ctx, { id: email.contactId, subscribed: false });
    await choose({ action: 'unsubscribe' });
    await visit();
    expect(await isSubscribed()).toBe(false);
  });

  it('does not lift one that outlived its contact, however often it asks', async () => {
    await choose({ action: 'unsubscribe' });
    await deleteContact.run(project.ctx, { id: email.contactId });
    await visit();
    await visit();
    expect(await isSubscribed()).toBe(false);
  });

  it('lifts one that a request made, also of a deleted contact', async () => {
    await updateContact.run(project.ctx, { id: email.contactId, subscribed: false });
    await visit();
    expect(await isSubscribed()).toBe(true);
    await updateContact.run(project.ctx, { id: email.contactId, subscribed: false });
    await deleteContact.run(project.ctx, { id: email.contactId });
    await visit();
    expect(await isSubscribed()).toBe(true);
  });

  it('lifts one by a request after the person subscribed again', async () => {
    await choose({ action: 'unsubscribe' });
    await choose({ action: 'subscribe' });
    await updateContact.run(project.ctx, { id: email.contactId, subscribed: false });
    await visit();
    expect(await isSubscribed()).toBe(true);
  });

  it('is unlike a secret key, which may record a new consent', async () => {
    await choose({ action: 'unsubscribe' });
    await recordEvent.run(project.ctx, { email: email.to, event: 'seen', subscribed: true });
    expect(await isSubscribed()).toBe(true);
    await choose({ action: 'unsubscribe' });
    await upsertContact.run(project.ctx, { email: email.to, subscribed: true });
    expect(await isSubscribed()).toBe(true);
  });
});

describe('the inert link of a test email', () => {
  it('opens, and changes nothing', async () => {
    const { prisma } = test.services.database;
    await prisma.email.update({
      where: { id: email.id },
      data: { sourceType: 'TEST', campaignId: null },
    });
    const inert = tokenOf(null, email.id);
    const page = await getPreferences.run(anyone, { token: inert });
    expect(page).toMatchObject({ email: email.to, inert: true, project: { name: 'Tulip Post' } });
    expect(await choose({ action: 'unsubscribe' }, inert)).toEqual({ found: page, result: 'unchanged' });
    expect((await contactOf()).subscribed).toBe(true);
    expect(await events()).toEqual([]);
  });
});

describe('topics', () => {
  let product: { id: string; number: number };

  beforeEach(async () => {
    const { prisma } = test.services.database;
    const { id } = await createTopic.run(project.ctx, {
      key: 'product',
      name: { en: 'Product news', de: 'Neues vom Produkt' },
      default: 'OUT',
    });
    product = await prisma.topic.findUniqueOrThrow({ where: { id }, select: { id: true, number: true } });
  });

  const ofTopic = async (topicId = product.id) => {
    const { prisma } = test.services.database;
    const { contentId } = await prisma.email.findUniqueOrThrow({ where: { id: email.id } });
    await prisma.content.update({ where: { id: contentId }, data: { topicId } });
  };
  const wantedOf = async () => {
    const found = await getPreferences.run(anyone, { token });
    return found?.kind === 'contact'
      ? Object.fromEntries(found.topics.map(({ key, wanted }) => [key, wanted]))
      : null;
  };

  it('are listed with what the contact receives', async () => {
    expect(await wantedOf()).toEqual({ general: true, product: false });
  });

  it('save: every public topic is chosen, and later topics are off', async () => {
    await choose({ action: 'save', topics: ['product'] });
    expect(await wantedOf()).toEqual({ general: false, product: true });
    expect(await contactOf()).toMatchObject({ subscribed: true, topicDefaults: false });
    await createTopic.run(project.ctx, { key: 'later', name: { en: 'Later' }, default: 'IN' });
    expect(await wantedOf()).toMatchObject({ later: false });
  });

  it('save with none ticked unsubscribes', async () => {
    expect(await choose({ action: 'save', topics: [] })).toMatchObject({ found: { status: 'unsubscribed' } });
    expect((await events()).map(({ name }) => name)).toEqual(['contact.unsubscribed']);
  });

  it('save of who is not subscribed subscribes to the ticked ones only', async () => {
    await choose({ action: 'unsubscribe' });
    await choose({ action: 'save', topics: ['product'] });
    expect(await contactOf()).toMatchObject({ subscribed: true, topicDefaults: false });
    expect(await wantedOf()).toEqual({ general: false, product: true });
  });

  it('save during a pause keeps the pause', async () => {
    await choose({ action: 'snooze', duration: '1m' });
    const { snoozedUntil } = await contactOf();
    await choose({ action: 'save', topics: ['product'] });
    expect(await contactOf()).toMatchObject({ subscribed: false, snoozedUntil });
    expect(await wantedOf()).toEqual({ general: false, product: true });
  });

  it('unknown keys are none', async () => {
    await choose({ action: 'save', topics: ['product', 'secret', ''] });
    expect(await wantedOf()).toEqual({ general: false, product: true });
  });

  it.each(['page', 'one_click'] as const)(
    '%s in email of a topic ends that topic, and counts once',
    async (source) => {
      await choose({ action: 'save', topics: ['general', 'product'] });
      await ofTopic();
      const done = await choose({ action: 'unsubscribe' }, token, source);
      expect(done).toMatchObject({ result: 'topic_ended', found: { status: 'subscribed' } });
      await choose({ action: 'unsubscribe' }, token, source);
      expect(await wantedOf()).toEqual({ general: true, product: false });
      expect(await optOuts()).toBe(1);
      expect((await events()).at(-1)).toMatchObject({
        name: 'contact.topic.unsubscribed',
        data: { topic: 'product', reason: source },
        emailId: email.id,
      });
    },
  );

  it('who receives nothing after that is unsubscribed overall', async () => {
    await choose({ action: 'save', topics: ['product'] });
    await ofTopic();
    expect(await choose({ action: 'unsubscribe' }, token, 'one_click')).toMatchObject({
      result: 'changed',
      found: { status: 'unsubscribed' },
    });
    expect(await optOuts()).toBe(1);
  });

  it('everything can be ended there as well', async () => {
    await choose({ action: 'save', topics: ['general', 'product'] });
    await ofTopic();
    expect(await choose({ action: 'unsubscribe', scope: 'all' })).toMatchObject({
      found: { status: 'unsubscribed' },
    });
  });

  it('subscribing by an email of a topic chooses it', async () => {
    await choose({ action: 'unsubscribe' });
    await ofTopic();
    await choose({ action: 'subscribe' });
    expect(await wantedOf()).toEqual({ general: true, product: true });
  });

  it('a private topic is on no page; one click ends it', async () => {
    const { prisma } = test.services.database;
    await say({ kind: 'state', yes: [product.number] });
    await prisma.topic.update({ where: { id: product.id }, data: { visibility: 'PRIVATE' } });
    await ofTopic();
    expect(await getPreferences.run(anyone, { token })).toMatchObject({
      topics: [{ key: 'general' }],
      emailTopic: null,
    });
    await choose({ action: 'unsubscribe' }, token, 'one_click');
    expect(await contactOf()).toMatchObject({ subscribed: true, topicsOff: [product.number] });
    expect(await choose({ action: 'unsubscribe' })).toMatchObject({ found: { status: 'unsubscribed' } });
  });
});

describe('limits', () => {
  it('subscribing by a page is limited to 20 an hour; leaving never is', async () => {
    await choose({ action: 'unsubscribe' });
    for (let time = 0; time < 20; time += 1) {
      expect(await choose({ action: 'subscribe' })).toMatchObject({ result: 'changed' });
      expect(await choose({ action: 'unsubscribe' })).toMatchObject({ result: 'changed' });
    }
    expect(await choose({ action: 'subscribe' })).toMatchObject({
      result: 'limited',
      found: { status: 'unsubscribed' },
    });
    for (let time = 0; time < 30; time += 1)
      expect(await choose({ action: 'unsubscribe' })).toMatchObject({ result: 'changed' });
    // What has no effect is stored 20 times an hour.
    expect(
      await test.services.database.prisma.consentAct.count({ where: { contactId: email.contactId } }),
    ).toBe(61);
  });
});

describe('after the contact was deleted', () => {
  const erase = () => deleteContact.run(project.ctx, { id: email.contactId });
  const optOutsOf = () =>
    test.services.database.prisma.optOut.findMany({
      where: { projectId: project.id },
      select: { byRecipient: true },
    });

  it('its page can still be used to leave', async () => {
    await erase();
    expect(await getPreferences.run(anyone, { token })).toMatchObject({
      kind: 'erased',
      project: { name: 'Tulip Post' },
    });
    expect(await choose({ action: 'subscribe' })).toMatchObject({ result: 'unchanged' });
    expect(await choose({ action: 'save', topics: ['general'] })).toMatchObject({ result: 'unchanged' });
    expect(await optOutsOf()).toEqual([]);
    expect(await choose({ action: 'unsubscribe' })).toMatchObject({ result: 'changed' });
    expect(await optOutsOf()).toEqual([{ byRecipient: true }]);
  });

  it('one click keeps the address out', async () => {
    await erase();
    await choose({ action: 'unsubscribe' }, token, 'one_click');
    await trackEvent.run(project.publicCtx, { email: email.to, event: 'seen', subscribed: true });
    const again = await test.services.database.prisma.contact.findFirstOrThrow({
      where: { email: email.to },
    });
    expect(again.subscribed).toBe(false);
  });

  it('one click during the deletion is seen by either', async () => {
    for (let time = 0; time < 20; time += 1) {
      const [row] = await waitingMail(test.services, project.id, { count: 1, campaignId });
      if (!row) throw new Error('no email was made');
      await Promise.all([
        deleteContact.run(project.ctx, { id: row.contactId }),
        choose({ action: 'unsubscribe' }, tokenOf(row.contactId, row.id), 'one_click'),
      ]);
      const hash = Uint8Array.from(test.services.secrets.addressHash(project.id, row.to));
      expect(
        await test.services.database.prisma.optOut.count({
          where: { projectId: project.id, addressHash: hash, byRecipient: true },
        }),
      ).toBe(1);
    }
  });
});
