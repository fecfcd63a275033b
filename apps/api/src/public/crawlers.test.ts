import { createForm, submissionsProcessed } from '@postrider/core/mail/forms';
import { encodeConfirmLink } from '@postrider/core/mail/message';
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
}, 300_000);

/** How many emails are visited with every method; more where a machine has the time. */
const crawled = Number(process.env['CRAWLED_EMAILS']) || 300;

it(
  'GET, HEAD and OPTIONS of every link of emails, forms and confirmations write no act and change no one',
  async () => {
    const { prisma } = test.services.database;
    const { ctx, id: projectId } = test.project;
    const from = test.services.config.sandboxFrom;
    await prisma.project.update({
      where: { id: projectId },
      data: { consent: { confirmation: { from, fromName: null, replyTo: null, templateId: null } } },
    });
    const form = await createForm.run(ctx, {
      ...{ name: 'Footer', enabled: true, title: { en: 'News' }, consentText: { en: 'Yes, send me news.' } },
      origins: ['https://www.example.com'],
    });
    for (let n = 0; n < 10; n += 1)
      await test.anyone('POST', `/f/${form.id}`, { email: `delivered+crawled${n}@postrider.test` });
    await submissionsProcessed(test.services);
    const requests = () => prisma.subscriptionRequest.findMany({ orderBy: { id: 'asc' } });
    const asked = await requests();
    expect(asked).toHaveLength(10);
    const mails = await sentMails(test, crawled);
    const urls = [
      ...mails.flatMap(linksOf),
      ...asked.map(({ id }) => `/s/${encodeConfirmLink(test.services.secrets, id)}`),
      ...['', '/embed', '.js', '/challenge', '?lang=de'].map((part) => `/f/${form.id}${part}`),
    ];
    const state = async () => ({
      acts: await prisma.consentAct.count(),
      optOuts: await prisma.optOut.count(),
      submissions: await prisma.formSubmission.count(),
      figures: await prisma.formFigure.findMany(),
      events: await prisma.event.count(),
      contacts: await prisma.contact.findMany({ orderBy: { id: 'asc' } }),
      requests: await requests(),
    });
    const before = await state();
    // As many at once as a process takes without refusing any.
    for (const method of ['GET', 'HEAD', 'OPTIONS'] as const)
      for (let first = 0; first < urls.length; first += 1_000) {
        const visits = urls
          .slice(first, first + 1_000)
          .map((url, index) =>
            test.app.inject({ method, url, headers: { 'user-agent': crawlers[index % crawlers.length] } }),
          );
        for (const { statusCode } of await Promise.all(visits)) expect(statusCode).toBeLessThan(500);
      }
    await interactionsStored(test.services);
    expect(await state()).toEqual(before);
  },
  120_000 + crawled * 200,
);
