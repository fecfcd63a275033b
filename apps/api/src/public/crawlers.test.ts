import { interactionsStored } from '@postrider/core/tracking';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startApp, type TestApp } from '../../test/harness.ts';
import { type Mail, sentMail } from './public.fixture.ts';

const crawlers = [
  '',
  'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)',
  'Mozilla/5.0 (compatible; bingbot/2.0; +http://www.bing.com/bingbot.htm)',
  'Mozilla/5.0 (Windows NT 5.1; rv:11.0) Gecko Firefox/11.0 (via ggpht.com GoogleImageProxy)',
  'Slackbot-LinkExpanding 1.0 (+https://api.slack.com/robots)',
  'facebookexternalhit/1.1',
  'Mail Security Scanner/4.2',
  'python-requests/2.32.3',
];

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

it('crawlers that follow every link of many emails change no consent and count as no person', async () => {
  const mails: Mail[] = [];
  while (mails.length < 25) mails.push(await sentMail(test));
  const { prisma } = test.services.database;
  const contacts = () => prisma.contact.findMany({ orderBy: { id: 'asc' } });
  const emails = () => prisma.email.findMany({ orderBy: { id: 'asc' } });
  const before = [await contacts(), await emails()];

  for (const userAgent of crawlers) {
    const visits = mails
      .flatMap(linksOf)
      .map((url) => test.app.inject({ url, headers: { 'user-agent': userAgent } }));
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
  expect(await prisma.interaction.count({ where: { bot: true } })).toBe(mails.length * crawlers.length * 3);
});
