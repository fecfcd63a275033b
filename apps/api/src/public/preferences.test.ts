import { encodeLink } from '@postrider/core/mail/message';
import { MAIL_LANGUAGES } from '@postrider/core/mail/sending';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type Answer, startApp, type TestApp } from '../../test/harness.ts';
import { changedByOne, type Mail, sentMail } from './public.fixture.ts';
import { texts } from './texts/index.ts';

let test: TestApp;
let mail: Mail;

beforeAll(async () => {
  test = await startApp();
});
afterAll(() => test.close());
beforeEach(async () => {
  mail = await sentMail(test);
});

const prisma = () => test.services.database.prisma;
const contactOf = () => prisma().contact.findUniqueOrThrow({ where: { id: mail.contactId } });
const events = () =>
  prisma().event.findMany({ where: { contactId: mail.contactId }, orderBy: { id: 'asc' } });
const optOuts = async () =>
  (await prisma().campaignCounter.findUniqueOrThrow({ where: { campaignId: mail.campaignId } }))
    .unsubscribedCount;

const get = (path: string): Promise<Answer> => test.anyone('GET', mail.pages + path);
const form = { 'content-type': 'application/x-www-form-urlencoded' };
const post = (path: string, fields: Record<string, string> = {}): Promise<Answer> =>
  test.anyone('POST', mail.pages + path, new URLSearchParams(fields).toString(), form);

function expectPage({ status, headers }: Answer, expected = 200): void {
  expect(status).toBe(expected);
  expect(headers).toMatchObject({
    'content-type': 'text/html; charset=utf-8',
    'cache-control': 'no-store',
    'referrer-policy': 'no-referrer',
  });
  expect(headers['content-security-policy']).toMatch(/^default-src 'none'; style-src 'sha256-[\w+/=]+'/);
  expect(headers['content-security-policy']).not.toContain('script');
  expect(headers).not.toHaveProperty('ratelimit-limit');
}

describe('GET', () => {
  it.each(['', '/unsubscribe', '/subscribe', '/manage'])(
    '/u/:token%s: 200, and changes nothing',
    async (path) => {
      const before = await contactOf();
      const page = await get(path);
      expectPage(page);
      expect(page.text).toContain('<html lang="en">');
      expect(page.text).toContain(mail.to);
      expect(page.text).toContain('Test project');
      expect(page.text).not.toContain('<script');
      expect((await test.anyone('HEAD', mail.pages + path)).status).toBe(200);
      expect(await contactOf()).toEqual(before);
      expect(await events()).toEqual([]);
    },
  );

  it.each(['', '/unsubscribe'])('/u/:token%s offers to unsubscribe and every snooze', async (path) => {
    const { text } = await get(path);
    expect(text).toContain(`action="${mail.pages}/unsubscribe"`);
    for (const duration of ['2w', '1m', '6m', '1y']) expect(text).toContain(`value="${duration}"`);
  });

  it('/u/:token/manage shows the current subscription and all choices', async () => {
    const { text } = await get('/manage');
    expect(text).toContain(texts.en.state.subscribed);
    for (const value of ['subscribe', 'unsubscribe', 'snooze', '2w', '1m', '6m', '1y'])
      expect(text).toContain(`value="${value}"`);
    const snoozedUntil = new Date('2027-03-01T12:00:00Z');
    await prisma().contact.update({
      where: { id: mail.contactId },
      data: { subscribed: false, snoozedUntil, consentSeq: 1n },
    });
    expect((await get('/manage')).text).toContain('March 1, 2027');
    await prisma().contact.update({
      where: { id: mail.contactId },
      data: { snoozedUntil: null, consentSeq: 2n },
    });
    expect((await get('/manage')).text).toContain(texts.en.state.unsubscribed);
  });
});

describe('POST /u/:token', () => {
  const boundary = 'xyz';
  const bodies: [string, string | undefined, Record<string, string>][] = [
    ['urlencoded', 'List-Unsubscribe=One-Click', form],
    [
      'form-data',
      `--${boundary}\r\nContent-Disposition: form-data; name="List-Unsubscribe"\r\n\r\nOne-Click\r\n--${boundary}--\r\n`,
      { 'content-type': `multipart/form-data; boundary=${boundary}` },
    ],
    ['plain text', 'List-Unsubscribe=One-Click', { 'content-type': 'text/plain' }],
    ['JSON that is none', '{', { 'content-type': 'application/json' }],
    ['a type that is none', 'List-Unsubscribe=One-Click', { 'content-type': 'foo' }],
    ['a large form', 'x'.repeat(100_000), form],
    ['no body', undefined, {}],
  ];

  it.each(bodies)('%s: 200 Unsubscribed, once', async (_what, payload, headers) => {
    for (let time = 0; time < 2; time += 1) {
      const answer = await test.anyone('POST', mail.pages, payload, headers);
      expect([answer.status, answer.headers['content-type'], answer.text]).toEqual([
        200,
        'text/plain; charset=utf-8',
        'Unsubscribed',
      ]);
    }
    expect(await contactOf()).toMatchObject({ subscribed: false });
    expect(await events()).toMatchObject([
      { name: 'contact.unsubscribed', data: { reason: 'one_click' }, emailId: mail.emailId },
    ]);
    expect(await optOuts()).toBe(1);
  });

  it('200 for invalid tokens too', async () => {
    for (const path of [changedByOne(mail.pages), '/u/x', `/u/${'x'.repeat(2_048)}`, '/u/%00']) {
      const answer = await test.anyone('POST', path, 'List-Unsubscribe=One-Click', form);
      expect([answer.status, answer.text]).toEqual([200, 'Unsubscribed']);
    }
    expect((await contactOf()).subscribed).toBe(true);
  });
});

describe('POST on the pages', () => {
  it('/unsubscribe: 200 and a confirmation', async () => {
    const page = await post('/unsubscribe');
    expectPage(page);
    expect(page.text).toContain('<h1>You are unsubscribed</h1>');
    expect(await events()).toMatchObject([{ name: 'contact.unsubscribed', data: { reason: 'page' } }]);
  });

  it('/subscribe: 200 and a confirmation', async () => {
    await prisma().contact.update({
      where: { id: mail.contactId },
      data: { subscribed: false, consentSeq: 1n },
    });
    const page = await post('/subscribe');
    expectPage(page);
    expect(page.text).toContain('<h1>You are subscribed</h1>');
    expect(await events()).toMatchObject([
      { name: 'contact.subscribed', data: { reason: 'page' }, emailId: mail.emailId },
    ]);
  });

  it('/manage: each choice, 200', async () => {
    expectPage(await post('/manage', { action: 'unsubscribe' }));
    expect(await contactOf()).toMatchObject({ subscribed: false, snoozedUntil: null });
    expectPage(await post('/manage', { action: 'subscribe' }));
    expect(await contactOf()).toMatchObject({ subscribed: true });
    for (const duration of ['2w', '1m', '6m', '1y']) {
      expectPage(await post('/manage', { action: 'snooze', duration }));
      expect((await contactOf()).snoozedUntil).toBeInstanceOf(Date);
    }
    expect(await optOuts()).toBe(1);
  });

  it.each([
    {},
    { action: 'delete' },
    { action: 'snooze' },
    { action: 'snooze', duration: '3w' },
    { action: 'snooze', duration: '' },
    { action: '' },
    { duration: '2w' },
  ])('/manage with %j: 400 page, nothing changed', async (fields) => {
    const page = await post('/manage', fields as Record<string, string>);
    expectPage(page, 400);
    expect(page.text).toContain(texts.en.badChoice.title);
    expect(await contactOf()).toMatchObject({ subscribed: true, snoozedUntil: null });
  });

  it('/manage with a body that is not a form: 400 page', async () => {
    expectPage(await test.anyone('POST', `${mail.pages}/manage`, { action: 'unsubscribe' }), 400);
    expect((await contactOf()).subscribed).toBe(true);
  });
});

describe('404 page', () => {
  const invalid = (): string[] => [
    changedByOne(mail.pages),
    mail.openPath.replace('/t/o/', '/u/').slice(0, -4),
    '/u/x',
    '/u/%3Cscript%3E',
    '/u/%00',
    `/u/${'x'.repeat(2_048)}`,
  ];

  it('for every invalid token, with GET and POST', async () => {
    for (const pages of invalid()) {
      for (const path of ['', '/unsubscribe', '/subscribe', '/manage']) {
        const page = await test.anyone('GET', pages + path, undefined, { accept: 'text/html' });
        expectPage(page, 404);
        expect(page.text).toContain(texts.en.notFound.title);
        expect(page.text).not.toContain('<script');
        if (path === '') continue;
        expectPage(await test.anyone('POST', pages + path, 'action=unsubscribe', form), 404);
      }
    }
    expect((await contactOf()).subscribed).toBe(true);
  });

  it('after the contact was deleted', async () => {
    await prisma().contact.delete({ where: { id: mail.contactId } });
    expectPage(await get('/manage'), 404);
    expectPage(await post('/unsubscribe'), 404);
    expect((await post('')).text).toBe('Unsubscribed');
  });
});

describe('the page that the recipient sees', () => {
  it('is in German for a German contact', async () => {
    await prisma().contact.update({ where: { id: mail.contactId }, data: { data: { locale: 'de-CH' } } });
    const page = await get('/unsubscribe');
    expect(page.text).toContain('<html lang="de">');
    expect(page.text).toContain('Abmelden');
    expect(page.text).toContain('Eine Pause machen');
    expect((await post('/manage', { action: 'snooze', duration: '2w' })).text).toContain(
      'Die E-Mails pausieren bis zum',
    );
    expect((await post('/manage', { action: 'x' })).text).toContain(texts.de.badChoice.title);
  });

  it.each(MAIL_LANGUAGES)('%s has every text, with its placeholders', (language) => {
    const flat = (language_: typeof language): [string, string][] =>
      Object.entries(texts[language_]).flatMap(([key, value]) =>
        typeof value === 'string'
          ? [[key, value] as [string, string]]
          : Object.entries(value).map(([inner, text]) => [`${key}.${inner}`, text] as [string, string]),
      );
    const namesIn = (text: string): string[] => (text.match(/\{\w+\}/g) ?? []).toSorted();
    const english = new Map(flat('en'));
    for (const [key, text] of flat(language)) {
      expect(text.trim(), key).not.toBe('');
      if (key !== 'unsubscribe.lead' && key !== 'subscribe.lead')
        expect([key, namesIn(text)]).toEqual([key, namesIn(english.get(key) ?? '')]);
    }
  });

  it('escapes HTML in names and addresses', async () => {
    const name = `<img src=x onerror=alert(1)>"'&`;
    await prisma().project.update({ where: { id: test.project.id }, data: { name } });
    const email = `"<b>$&"@people.test`;
    await prisma().contact.update({ where: { id: mail.contactId }, data: { email } });
    try {
      for (const path of ['/unsubscribe', '/subscribe', '/manage']) {
        const { text } = await get(path);
        expect(text).not.toContain('<img');
        expect(text).not.toContain('<b>');
        expect(text).toContain('&lt;img src=x onerror=alert(1)&gt;&quot;&#39;&amp;');
        expect(text).toContain('&quot;&lt;b&gt;$&amp;&quot;@people.test');
      }
    } finally {
      await prisma().project.update({ where: { id: test.project.id }, data: { name: 'Test project' } });
    }
  });
});

describe('the inert link of a test email', () => {
  it('opens its pages; posting changes nothing', async () => {
    await prisma().email.update({
      where: { id: mail.emailId },
      data: { sourceType: 'TEST', contactId: null },
    });
    const pages = `/u/${encodeLink(test.services.secrets, { kind: 'preferences', contactId: null, emailId: mail.emailId })}`;
    for (const path of ['', '/unsubscribe', '/subscribe', '/manage']) {
      const page = await test.anyone('GET', pages + path);
      expectPage(page);
      expect(page.text).toContain(texts.en.test);
    }
    for (const path of ['/unsubscribe', '/subscribe', '/manage']) {
      const page = await test.anyone('POST', pages + path, 'action=unsubscribe', form);
      expectPage(page);
      expect(page.text).toContain(texts.en.test);
    }
    expect((await test.anyone('POST', pages)).text).toBe('Unsubscribed');
    expect(await contactOf()).toMatchObject({ subscribed: true });
    expect(await events()).toEqual([]);
  });
});
