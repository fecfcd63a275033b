import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { deleteContact, updateContact, upsertContact } from '../../audience/contacts/index.ts';
import { recordEvent, trackEvent } from '../../audience/events/index.ts';
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
  | { action: 'subscribe' | 'unsubscribe' }
  | { action: 'snooze'; duration: '2w' | '1m' | '6m' | '1y' };
const choose = (choice: Choice, with_ = token, source: 'page' | 'one_click' = 'page') =>
  changePreferences.run(anyone, { ...choice, token: with_, source });

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
    expect(await getPreferences.run(anyone, { token })).toEqual({
      email: email.to,
      subscribed: true,
      snoozedUntil: null,
      locale: null,
      language: 'en',
      projectName: 'Tulip Post',
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
    expect((await getPreferences.run(anyone, { token }))?.language).toBe(expected);
  });

  it('null for a token that is changed, of another type, or of a deleted contact', async () => {
    const changed = `${token.slice(0, -1)}${token.endsWith('A') ? 'B' : 'A'}`;
    const other = encodeLink(test.services.secrets, { kind: 'open', emailId: email.id });
    for (const bad of [changed, other, '', 'x'.repeat(2_000), tokenOf(newId(), null), tokenOf(null, null)]) {
      expect(await getPreferences.run(anyone, { token: bad })).toBeNull();
      expect(await choose({ action: 'unsubscribe' }, bad)).toBeNull();
    }
    await test.services.database.prisma.contact.delete({ where: { id: email.contactId } });
    expect(await getPreferences.run(anyone, { token })).toBeNull();
    expect(await choose({ action: 'unsubscribe' })).toBeNull();
  });
});

describe('unsubscribe', () => {
  it.each(['page', 'one_click'] as const)('by %s: one event with the email, counted once', async (source) => {
    const [first, second] = [
      await choose({ action: 'unsubscribe' }, token, source),
      await choose({ action: 'unsubscribe' }, token, source),
    ];
    expect(first).toMatchObject({ subscribed: false, snoozedUntil: null });
    expect(second).toEqual(first);
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
    await prisma.contact.update({
      where: { id: email.contactId },
      data: { subscribed: false, consentSeq: 1n },
    });
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
      expect(result).toMatchObject({ subscribed: false, snoozedUntil: snoozedUntil?.toISOString() });
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
    expect(page).toMatchObject({ email: email.to, inert: true, projectName: 'Tulip Post' });
    expect(await choose({ action: 'unsubscribe' }, inert)).toEqual(page);
    expect((await contactOf()).subscribed).toBe(true);
    expect(await events()).toEqual([]);
  });
});
