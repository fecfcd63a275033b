import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type App, choose, chooseField, entered, goTo, startApp, typeHtml, writeHtml } from './app.ts';

const owner = 'gardener@people.example';
const domain = 'mail.garden.example';
/** Enough for an import in several batches, and for a segment that contains some but not all of them. */
const readerCount = 6_000;

interface Reader {
  email: string;
  firstName: string;
  plan: string;
  seats: number;
}

const plans = ['free', 'pro', 'team'];
const readers: Reader[] = Array.from({ length: readerCount }, (_, index) => ({
  email: `reader-${index}@people.example`,
  firstName: index === 1_276 ? 'Zoë "Zo" Öztürk & Co' : `Reader ${index}`,
  plan: plans[index % plans.length] ?? '',
  seats: index % 50,
}));
const strangers: Reader[] = Array.from({ length: 40 }, (_, index) => ({
  email: `stranger-${index}@people.example`,
  firstName: `Stranger ${index}`,
  plan: 'pro',
  seats: 30,
}));
/** The subscribed members of the segment. */
const chosen = readers.filter(({ plan, seats }) => plan === 'pro' && seats >= 25);

const quoted = (text: string) => `"${text.replaceAll('"', '""')}"`;
const csv = (people: Reader[], rest: string[] = []) =>
  [
    'Email,first_name,plan,seats',
    ...people.map(({ email, firstName, plan, seats }) => [email, quoted(firstName), plan, seats].join(',')),
    ...rest,
  ].join('\r\n');
const badRows = ['not-an-address,Nobody,pro,30', ',No address,pro,30', 'two@@signs.example,Twice,pro,30'];

const number = (value: number) => value.toLocaleString('en');
const headline = (page: Page, name: string) => page.getByRole('heading', { level: 1, name }).waitFor();

let app: App;
/** The newest email in the mailbox before this file: other files of the run share the mailbox. */
let earlier = 0;
beforeAll(async () => {
  app = await startApp();
  earlier = (await mailbox<{ messages: MailSummary[] }>('?limit=1')).messages[0]?.id ?? 0;
});
afterAll(() => app?.close());

it('a new user can sign up, import contacts and send a campaign to a segment of them, each with personal content', async () => {
  const page = await app.visit('/signup');
  await page.getByLabel('Email').fill(owner);
  await page.getByLabel('Password').fill('a bed of roses');
  await page.getByRole('button', { name: 'Sign up' }).click();
  await headline(page, 'Create your first project');
  await page.getByLabel('Name').fill('Garden');
  await page.getByRole('button', { name: 'Create project' }).click();
  await entered(page, 'Garden');

  await verifyDomain(page);
  await importReaders(page);
  await makeSegment(page);
  await writeTemplate(page);
  await sendCampaign(page);
  await checkMailbox();
  await checkRecipients(page);
  await page.context().close();
});

/** Publishes the DNS records as the page shows them; the domain is verified only then. */
async function verifyDomain(page: Page): Promise<void> {
  await goTo(page, 'Domains');
  await page.getByLabel('Domain', { exact: true }).fill(domain);
  await page.getByRole('button', { name: 'Add domain' }).click();
  await page.getByRole('link', { name: domain }).click();
  const panel = page.getByRole('region', { name: 'DNS record' });
  await panel.getByRole('listitem').first().waitFor();
  await page.getByText('Pending').waitFor();
  await page.getByRole('button', { name: 'Check now' }).click();
  await page.getByText(`The DNS record for ${domain} was not found yet`).waitFor();
  await panel.getByText('Not found').first().waitFor();

  for (const record of await panel.getByRole('listitem').all()) {
    const type = await record.locator('strong').textContent();
    const [, name = '', value = ''] = await record.locator('code').allTextContents();
    expect(type).toBe('TXT');
    app.dns.set(name, 'TXT', [value]);
  }
  await page.getByRole('button', { name: 'Check now' }).click();
  await page.getByText(`${domain} is verified`).waitFor();
  await page.getByText('Verified', { exact: true }).waitFor();
  const dkim = page.getByRole('list', { name: 'Checks' }).getByRole('listitem').filter({ hasText: 'DKIM' });
  await dkim.getByText('Passed').waitFor();
}

async function importReaders(page: Page): Promise<void> {
  const progress: number[] = [];
  page.on('response', async (response) => {
    if (!response.url().includes('contacts.getImport')) return;
    for (const [, done] of (await response.text()).matchAll(/"progress":(\d+)/g)) progress.push(Number(done));
  });
  await goTo(page, 'Contacts');
  await page.getByText('No contacts yet').waitFor();
  await page.getByRole('button', { name: 'Import' }).click();
  const dialog = page.getByRole('dialog', { name: 'Import contacts' });
  await dialog.getByLabel('CSV file').setInputFiles(file('readers.csv', csv(readers, badRows)));
  await dialog.getByRole('button', { name: 'Next' }).click();
  expect(
    await dialog.getByLabel('Everyone in this file agreed to receive marketing emails').isChecked(),
  ).toBe(false);
  await dialog.getByLabel('Everyone in this file agreed to receive marketing emails').check();
  await dialog.getByRole('button', { name: 'Check' }).click();
  await dialog.getByText(`The import creates ${number(readerCount)}, updates 0 and skips 3 rows.`).waitFor();
  await dialog.getByText(`Contacts: ${number(readerCount)} will be subscribed`).waitFor();
  // Those were the figures of the dry run.
  progress.length = 0;
  await dialog.getByRole('button', { name: 'Import' }).click();
  await dialog.getByRole('progressbar', { name: /^Importing/ }).waitFor();
  await dialog.getByText(`${number(readerCount + badRows.length)} rows read`).waitFor({ timeout: 60_000 });
  await dialog.getByText(`${number(readerCount)} new contacts, 0 updated, 3 rows skipped.`).waitFor();
  const failures = dialog.getByRole('table', { name: 'Skipped rows' }).getByRole('row');
  const rows = (await failures.allTextContents()).slice(1);
  expect(rows).toEqual([
    expect.stringMatching(/^6001not-an-address./),
    expect.stringMatching(/^6002None./),
    expect.stringMatching(/^6003two@@signs.example./),
  ]);
  expect(progress).toEqual(progress.toSorted((a, b) => a - b));
  expect(progress.at(-1)).toBe(100);

  await dialog.getByRole('button', { name: 'Import another file' }).click();
  await dialog
    .getByLabel('CSV file')
    .setInputFiles(file('strangers.csv', csv(strangers).replace('Email,', 'Mail,')));
  await dialog.getByRole('button', { name: 'Next' }).click();
  await dialog.getByLabel('Mail becomes').filter({ hasText: 'Email address' }).waitFor();
  await dialog.getByText('stranger-0@people.example').first().waitFor();
  await dialog.getByText('first_name: Stranger 0 · plan: pro · seats: 30').last().waitFor();
  await choose(dialog.getByLabel('Add to segment'), 'New segment');
  await dialog.getByLabel('Name of the segment').fill('Strangers');
  await dialog.getByRole('button', { name: 'Check' }).click();
  await dialog.getByRole('button', { name: 'Import' }).click();
  await dialog.getByText(`${strangers.length} rows read`).waitFor({ timeout: 60_000 });
  await dialog.getByRole('button', { name: 'Done' }).click();
  await page.getByText(`50 of ${number(readerCount + strangers.length)}`).waitFor();
}

const file = (name: string, text: string) => ({ name, mimeType: 'text/csv', buffer: Buffer.from(text) });

async function makeSegment(page: Page): Promise<void> {
  const members = chosen.length + strangers.length;
  await goTo(page, 'Segments');
  await page.getByRole('link', { name: 'New segment' }).click();
  await page.getByLabel('Name', { exact: true }).fill('Large pro gardens');
  const first = page.getByRole('group', { name: 'Condition 1' });
  await chooseField(first, 'plan');
  await first.getByLabel('Value', { exact: true }).fill('pro');
  const ofPlan = readers.filter(({ plan }) => plan === 'pro').length + strangers.length;
  await page.getByText(`${number(ofPlan)} contacts match.`).waitFor();

  await page.getByRole('button', { name: 'Add', exact: true }).click();
  await page.getByRole('menuitem', { name: 'Condition' }).click();
  const second = page.getByRole('group', { name: 'Condition 2' });
  await chooseField(second, 'seats');
  await choose(second.getByLabel('Operator'), 'is at least');
  await second.getByLabel('Number').fill('25');
  await page.getByText(`${number(members)} contacts match.`).waitFor();
  await page.getByText('Contacts where plan is “pro” and seats is at least 25').waitFor();
  expect(await page.getByRole('list', { name: 'Newest matching' }).getByRole('listitem').count()).toBe(5);
  await page.getByRole('button', { name: 'Create segment' }).click();
  await headline(page, 'Large pro gardens');
  await page.getByText(`20 of ${number(members)}`).waitFor();
}

/** Checks the preview rendered by the server: for an unknown contact, for a known one, and after an error. */
async function writeTemplate(page: Page): Promise<void> {
  await goTo(page, 'Templates');
  await page.getByRole('link', { name: 'New template' }).click();
  await page.getByLabel('Name', { exact: true }).fill('Spring newsletter');
  await page.getByLabel('Subject').fill('Spring for {{first_name ?? you}}');
  await page.getByLabel('From', { exact: true }).fill(`news@${domain}`);
  await choose(page.getByLabel('Type', { exact: true }), /^Marketing(?!,)/);
  const body = await writeHtml(page, '<p>Dear reader,</p>');
  const preview = page.getByRole('region', { name: 'Preview' });
  const mail = preview.frameLocator('iframe');
  expect(await preview.locator('iframe').getAttribute('sandbox')).toBe('');

  await typeHtml(
    page,
    '<p>Dear {{first_name ?? gardener}},</p>\n<p>{% if seats > 40 %}a bench{% endfor %}</p>',
  );
  await page.getByText(/line 2, column \d+/).waitFor();
  expect(await body.getAttribute('aria-invalid')).toBe('true');
  await typeHtml(
    page,

    '<p>Dear {{first_name ?? gardener}},</p>\n<p>{% if seats > 40 %}a bench{% else %}a spade{% endif %} waits for you.</p>',
  );
  await mail.getByText('Dear gardener,').waitFor();
  await mail.getByText('a spade waits for you.').waitFor();
  await mail.getByRole('link', { name: 'Manage your subscription' }).waitFor();
  await preview.getByText('Spring for you').waitFor();

  const reader = chosen.find(({ firstName }) => firstName.startsWith('Zoë'));
  await preview.getByLabel('Preview as').click();
  await page.getByLabel('Search: Preview as').fill(reader?.email ?? '');
  await page.getByRole('option', { name: reader?.email ?? '' }).click();
  await mail.getByText('Dear Zoë "Zo" Öztürk & Co,').waitFor();
  await preview.getByRole('button', { name: 'Sample values' }).click();
  await preview.getByLabel('Values').fill('{"seats": 41}');
  await mail.getByText('a bench waits for you.').waitFor();
  await page.getByRole('button', { name: 'Save template' }).click();
  await headline(page, 'Spring newsletter');
  await page.getByRole('heading', { level: 2, name: 'Spring for you' }).waitFor();
  await page.frameLocator('iframe[title="Email"]').getByText('Dear gardener,').waitFor();
}

async function sendCampaign(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'More actions' }).click();
  await page.getByRole('menuitem', { name: 'Use in a campaign' }).click();
  await headline(page, 'New campaign');
  await page.getByLabel('Name', { exact: true }).fill('Spring in large gardens');
  await choose(page.getByLabel('Send to', { exact: true }), 'A segment');
  const members = chosen.length + strangers.length;
  await choose(page.getByLabel('Segment', { exact: true }), 'Large pro gardens');
  await page.getByRole('button', { name: 'Save draft' }).click();

  await headline(page, 'Edit campaign');
  await page
    .getByText(
      `${number(chosen.length)} of ${number(members)} contacts will get this email; ${number(strangers.length)} never subscribed.`,
    )
    .first()
    .waitFor();

  await page.getByRole('button', { name: 'Send now' }).click();
  const dialog = page.getByRole('dialog', { name: `Send to ${number(chosen.length)} recipients?` });
  await dialog.getByLabel('to confirm').fill(number(chosen.length));
  // A new project has no postal address yet.
  await dialog.getByLabel('Send it all the same').check();
  await dialog.getByRole('button', { name: `Send to ${number(chosen.length)} recipients` }).click();
  await headline(page, 'Spring in large gardens');
  const figures = page.getByRole('region', { name: 'Recipients', exact: true });
  await figures.getByRole('row', { name: `Sent ${number(chosen.length)} 100%` }).waitFor({ timeout: 60_000 });
  await figures.getByRole('row', { name: 'Queued 0 0%' }).waitFor();
  await figures.getByRole('row', { name: `Recipients ${number(chosen.length)}` }).waitFor();
  await page
    .getByRole('banner')
    .or(page.getByRole('main'))
    .getByText('Sent', { exact: true })
    .first()
    .waitFor();
}

interface MailSummary {
  id: number;
  to: string[];
  subject: string;
}

const mailbox = async <Answer>(path: string): Promise<Answer> =>
  (await fetch(`${app.stack.urls.mailbox}/api/messages${path}`)).json() as Promise<Answer>;

async function allMails(): Promise<MailSummary[]> {
  const mails: MailSummary[] = [];
  for (;;) {
    const last = mails.at(-1)?.id;
    const query = `?limit=1000${last === undefined ? '' : `&before=${last}`}`;
    const { messages } = await mailbox<{ messages: MailSummary[] }>(query);
    const own = messages.filter(({ id }) => id > earlier);
    mails.push(...own);
    if (own.length < messages.length || messages.length === 0) return mails;
  }
}

const htmlOf = async ({ id }: MailSummary): Promise<string> =>
  (await mailbox<{ html: string }>(`/${id}`)).html;

/** Every chosen contact received one email with their own name, and no one else did, except the owner's notice about the domain. */
async function checkMailbox(): Promise<void> {
  const mails = (await allMails()).filter(({ to }) => to.join() !== owner);
  const got = mails.map(({ to, subject }) => `${to.join()}: ${subject}`);
  const expected = chosen.map(({ email, firstName }) => `${email}: Spring for ${firstName}`);
  expect(got.toSorted()).toEqual(expected.toSorted());

  const special = mails.find(({ subject }) => subject.includes('Zoë'));
  if (!special) throw new Error('the reader with a special name got nothing');
  const html = await htmlOf(special);
  expect(html).toContain('<p>Dear Zoë &quot;Zo&quot; Öztürk &amp; Co,</p>');
  expect(html).toContain('a spade waits for you.');
  expect(html).toContain('subscribed to Garden');
}

/** One open reported by a mail program moves exactly one recipient to "opened". */
async function checkRecipients(page: Page): Promise<void> {
  const list = page.getByRole('region', { name: 'Recipient list' });
  const filter = list.getByLabel('Status');
  const firstPage = page.getByText(`50 of ${number(chosen.length)}`);
  await firstPage.waitFor();
  await choose(filter, 'Sent');
  await firstPage.waitFor();
  for (const none of ['Failed', 'Skipped', 'Uncertain', 'Bounced', 'Clicked']) {
    await choose(filter, none);
    await list.getByText('No recipients match your filters').waitFor();
  }

  const [mail] = await allMails();
  if (!mail) throw new Error('the mailbox is empty');
  const [, pixel = ''] = /src="([^"]+\/t\/o\/[^"]+)"/.exec(await htmlOf(mail)) ?? [];
  const userAgent = 'Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Thunderbird/145.0';
  expect((await fetch(pixel, { headers: { 'user-agent': userAgent } })).status).toBe(200);
  await choose(filter, 'Opened');
  const opened = list.getByRole('row').filter({ has: page.getByRole('link') });
  await opened.filter({ hasText: mail.to.join() }).waitFor();
  expect(await opened.count()).toBe(1);

  await opened.getByRole('link').click();
  await headline(page, mail.subject);
  await page.getByText('Opened').first().waitFor();
  const reader = chosen.find(({ email }) => email === mail.to[0]);
  await page.frameLocator('iframe').getByText(`Dear ${reader?.firstName},`).waitFor();
}
