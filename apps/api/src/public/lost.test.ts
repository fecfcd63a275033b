import { upsertContact } from '@postrider/core/audience/contacts';
import { trackEvent } from '@postrider/core/audience/events';
import { encodeLink } from '@postrider/core/mail/message';
import { MAIL_LANGUAGES } from '@postrider/core/mail/sending';
import { createTestProject } from '@postrider/core/testing';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type Answer, startApp, type TestApp } from '../../test/harness.ts';
import { texts } from './texts/index.ts';

const hour = 3_600_000;

let test: TestApp;
let epoch = 10;
/** A time in the span that a restore lost. */
let lostAt: number;

beforeAll(async () => {
  test = await startApp();
});
afterAll(() => test.close());
beforeEach(async () => {
  epoch += 1;
  // Spans of other tests end earlier.
  lostAt = Date.now() - 1_000 * hour + epoch * hour;
  await prisma().epoch.create({
    data: {
      ...{ epoch, cause: 'restore', startedAt: new Date(lostAt + 2_000) },
      ...{ dataUntil: new Date(lostAt - 1_000), lostUntil: new Date(lostAt + 1_000) },
    },
  });
});

const prisma = () => test.services.database.prisma;

/** An id that was made at a time. */
function idOf(at: number): string {
  const hex = at.toString(16).padStart(12, '0') + crypto.randomUUID().replaceAll('-', '').slice(12);
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-7${hex.slice(13, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
}
const linkTo = (contactId: string): string =>
  `/u/${encodeLink(test.services.secrets, { kind: 'preferences', contactId, emailId: idOf(lostAt) })}`;
const form = { 'content-type': 'application/x-www-form-urlencoded' };
const leave = (link: string, email: string): Promise<Answer> =>
  test.anyone('POST', `${link}/unsubscribe`, new URLSearchParams({ email }).toString(), form);
const isSubscribed = async (projectId: string, email: string) =>
  (await prisma().contact.findUnique({ where: { projectId_email: { projectId, email } } }))?.subscribed;

describe('the link of a contact that a restore has lost', () => {
  it('asks for the address, and ends its subscriptions in every project, also where it becomes a contact later', async () => {
    const others = await Promise.all([1, 2].map(() => createTestProject(test.services)));
    const [other, later] = others;
    if (!other || !later) throw new Error('no projects');
    for (const { ctx } of [test.project, other])
      await upsertContact.run(ctx, { email: 'ann@people.test', subscribed: true });
    await upsertContact.run(other.ctx, { email: 'ben@people.test', subscribed: true });
    const link = linkTo(idOf(lostAt));
    for (const path of ['', '/unsubscribe', '/manage', '/subscribe']) {
      const page = await test.anyone('GET', link + path);
      expect(page.status).toBe(200);
      expect(page.text).toContain(texts.en.lost.title);
      expect(page.text).toContain('name="email"');
    }
    expect(await isSubscribed(other.id, 'ann@people.test')).toBe(true);

    const done = await leave(link, ' Ann@People.test ');
    expect(done.status).toBe(200);
    expect(done.text).toContain('<bdi>Ann@People.test</bdi>');
    expect(await isSubscribed(test.project.id, 'ann@people.test')).toBe(false);
    expect(await isSubscribed(other.id, 'ann@people.test')).toBe(false);
    expect(await isSubscribed(other.id, 'ben@people.test')).toBe(true);
    await trackEvent.run(later.publicCtx, { email: 'ann@people.test', event: 'signup', subscribed: true });
    expect(await isSubscribed(later.id, 'ann@people.test')).toBe(false);
    const acts = await prisma().consentAct.findMany({
      where: { projectId: { in: [test.project.id, other.id] }, source: 'page', action: 'unsubscribe' },
    });
    expect(acts.map(({ actor, effect }) => [actor, effect])).toEqual(Array(2).fill(['recipient', 'changed']));
    const events = await prisma().event.count({
      where: { projectId: other.id, name: 'contact.unsubscribed' },
    });
    expect(events).toBe(1);
  });

  it('refuses what is no address, and a sixth one in a day', async () => {
    const link = linkTo(idOf(lostAt));
    const bad = await leave(link, '"><script>alert(1)</script>');
    expect(bad.status).toBe(422);
    expect(bad.text).toContain(texts.en.form.badEmail);
    expect(bad.text).not.toContain('<script>alert');
    expect((await leave(link, '')).status).toBe(422);
    expect((await leave(link, `${'a'.repeat(10_000)}@people.test`)).status).toBe(422);
    for (let n = 0; n < 5; n += 1) expect((await leave(link, `${n}@people.test`)).status).toBe(200);
    await upsertContact.run(test.project.ctx, { email: 'eve@people.test', subscribed: true });
    expect((await leave(link, 'eve@people.test')).status).toBe(429);
    expect(await isSubscribed(test.project.id, 'eve@people.test')).toBe(true);
    expect((await leave(linkTo(idOf(lostAt)), 'eve@people.test')).status).toBe(200);
  });

  it('is not that of a contact from before or after the span, nor a link that was made up', async () => {
    for (const at of [lostAt - 2_000, lostAt + 2_000])
      expect((await test.anyone('GET', linkTo(idOf(at)))).status).toBe(404);
    const forged = linkTo(idOf(lostAt)).replace(/.$/, (last) => (last === 'A' ? 'B' : 'A'));
    expect((await test.anyone('GET', forged)).status).toBe(404);
    await upsertContact.run(test.project.ctx, { email: 'eve@people.test', subscribed: true });
    expect((await leave(forged, 'eve@people.test')).status).toBe(404);
    expect(await isSubscribed(test.project.id, 'eve@people.test')).toBe(true);
  });

  it('one click changes nothing: it names no address', async () => {
    const link = linkTo(idOf(lostAt));
    const before = await prisma().consentAct.count();
    expect((await test.anyone('POST', link)).text).toBe('Unsubscribed');
    expect(await prisma().consentAct.count()).toBe(before);
  });

  it.each(MAIL_LANGUAGES)('asks in %s', async (language) => {
    const page = await test.anyone('GET', linkTo(idOf(lostAt)), undefined, { 'accept-language': language });
    expect(page.text).toContain(`<html lang="${language}"`);
    expect(page.text).toContain(texts[language].lost.title);
  });
});
