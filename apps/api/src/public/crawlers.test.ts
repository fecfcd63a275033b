import { interactionsStored } from '@postrider/core/mail/tracking';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startApp, type TestApp } from '../../test/harness.ts';
import { type Mail, sentMails } from './public.fixture.ts';

const crawlers = [
  '',
  'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)',
  'Mozilla/5.0 (compatible; bingbot/2.0; +http://www.bing.com/bingbot.htm)',
  'Mozilla/5.0 (compatible; YandexImages/3.0; +http://yandex.com/bots)',
  'Slackbot-LinkExpanding 1.0 (+https://api.slack.com/robots)',
  'facebookexternalhit/1.1',
  'Mail Security Scanner/4.2',
  'python-requests/2.32.3',
];

/** How many crawlers visit each email. */
const visitsPerMail = 3;

let test: TestApp;

beforeAll(async () => {
  test = await startApp();
});
afterAll(() => test.close());

const linksOf = (mail: Mail): string[] => [
  mail.openPath,
  mail.clickPath('https://shop.test/'),
  mail.clickPath('https://shop.test/sale'),
  ...['', '/unsubscribe', '/subscribe', '/manage'].map((page) => mail.pages + page),
];

it('10,500 requests of crawlers that follow every link of 500 emails change no consent and count as no person', async () => {
  const mails = await sentMails(test, 500);
  const { prisma } = test.services.database;
  const contacts = () => prisma.contact.findMany({ orderBy: { id: 'asc' } });
  const emails = () => prisma.email.findMany({ orderBy: { id: 'asc' } });
  const before = [await contacts(), await emails()];

  for (let visit = 0; visit < visitsPerMail; visit += 1) {
    const visits = mails.flatMap((mail, index) => {
      const headers = { 'user-agent': crawlers[(index + visit) % crawlers.length] };
      return linksOf(mail).map((url) => test.app.inject({ url, headers }));
    });
    const statuses = new Set((await Promise.all(visits)).map(({ statusCode }) => statusCode));
    expect([...statuses].toSorted()).toEqual([200, 302]);
  }
  await interactionsStored(test.services);

  expect([await contacts(), await emails()]).toEqual(before);
  expect(await prisma.event.count()).toBe(0);
  expect(
    await prisma.campaignCounter.aggregate({
      _sum: { openedCount: true, clickedCount: true, unsubscribedCount: true },
    }),
  ).toEqual({
    _sum: { openedCount: 0, clickedCount: 0, unsubscribedCount: 0 },
  });
  expect(await prisma.interaction.count({ where: { bot: false } })).toBe(0);
  expect(await prisma.interaction.count({ where: { bot: true } })).toBe(mails.length * visitsPerMail * 3);
});
