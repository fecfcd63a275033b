import { Buffer } from 'node:buffer';
import { setTimeout as delay } from 'node:timers/promises';
import type { Locator, Page } from 'playwright-core';

/** What the day of a marketer needs from outside of the dashboard. */
export interface MarketerTools {
  /** the address of the project in the dashboard */
  project: string;
  /** the address of the mailbox that all mail arrives in */
  mailbox: string;
  /** a word that makes the names of this day unlike those of other days */
  own: string;
}

export const readerCount = 60;
export const namesOfDay = (own: string) => ({
  segment: `Gardeners ${own}`,
  campaign: `Spring news ${own}`,
  subjects: [`Spring is here ${own}`, `What to sow in March ${own}`] as const,
  reader: (index: number) => `gardener-${index}-${own}@people.example`,
});

const headline = (page: Page, name: string) => page.getByRole('heading', { level: 1, name, exact: true });
const button = (within: Page | Locator, name: string) =>
  within.getByRole('button', { name, exact: true }).first();
const link = (page: Page, name: string) =>
  page.getByRole('navigation', { name: 'Project', exact: true }).getByRole('link', { name });

/** Chooses an option of a select by its label. */
async function choose(select: Locator, option: string): Promise<void> {
  await select.click();
  await select.page().getByRole('option', { name: option, exact: true }).click();
}

/** A list as an office program exports it: semicolons, German numbers and dates, and a column that says who agreed. */
function listOf(own: string): string {
  const { reader } = namesOfDay(own);
  const rows = Array.from({ length: readerCount }, (_, index) =>
    [reader(index), `Gärtner ${index}`, `${index},50`, `${(index % 28) + 1}.03.2024`, 'ja'].join(';'),
  );
  const without = [reader(readerCount), 'Ohne Zusage', '1,00', '01.03.2024', 'nein'].join(';');
  return ['E-Mail;firstName;Beet;Kunde seit;Newsletter', ...rows, without].join('\r\n');
}

/**
 * A day of a marketer: a list is imported, a segment made of it, a newsletter written in the editor, two subjects compared, the campaign paused
 * and resumed, the winner chosen, the report read, and those who did not open reminded. Tests check what has happened at each stage, and the command
 * for screenshots takes pictures.
 *
 * @yields the name of each stage, when its data has arrived
 */
export async function* marketerDay(page: Page, tools: MarketerTools): AsyncGenerator<string> {
  yield* importList(page, tools);
  yield* makeSegment(page, tools);
  yield* writeNewsletter(page, tools);
  yield* compareSubjects(page, tools);
  yield* send(page, tools);
  yield* readReport(page, tools);
}

async function* importList(page: Page, { project, own }: MarketerTools): AsyncGenerator<string> {
  await page.goto(`${project}/contacts`);
  await headline(page, 'Contacts').waitFor();
  await button(page, 'Import').click();
  const dialog = page.getByRole('dialog', { name: 'Import contacts' });
  await dialog
    .getByLabel('CSV file')
    .setInputFiles({ name: 'kunden.csv', mimeType: 'text/csv', buffer: Buffer.from(listOf(own)) });
  await dialog.getByText('Gärtner 0').waitFor();
  yield 'import-file';
  await button(dialog, 'Next').click();
  await dialog.getByText('The file says who is subscribed').waitFor();
  yield 'import-columns';
  await button(dialog, 'Check').click();
  await dialog.getByText(`${readerCount} yes · 1 no`).waitFor();
  yield 'import-check';
  await button(dialog, 'Import').click();
  await dialog.getByText(`${readerCount + 1} rows read`).waitFor();
  yield 'imported';
  await button(dialog, 'Done').click();
}

async function* makeSegment(page: Page, { own }: MarketerTools): AsyncGenerator<string> {
  const { segment } = namesOfDay(own);
  await link(page, 'Segments').click();
  await page.getByRole('link', { name: 'New segment' }).click();
  await page.getByLabel('Name', { exact: true }).fill(segment);
  const condition = page.getByRole('group', { name: 'Condition 1' });
  await condition.getByLabel('Field', { exact: true }).click();
  await page.getByLabel('Search: Field').fill('Beet');
  await page.getByRole('option', { name: 'Beet', exact: true }).click();
  await choose(condition.getByLabel('Operator'), 'is at least');
  await condition.getByLabel('Number').fill('0');
  await page.getByText(`${readerCount + 1} contacts match.`).waitFor();
  yield 'segment';
  await button(page, 'Create segment').click();
  await headline(page, segment).waitFor();
  await page.getByText(`20 of ${readerCount + 1}`).waitFor();
  yield 'segment-made';
}

async function* writeNewsletter(page: Page, { own }: MarketerTools): AsyncGenerator<string> {
  const { segment, campaign, subjects } = namesOfDay(own);
  await link(page, 'Campaigns').click();
  await page.getByRole('link', { name: 'New campaign' }).click();
  await headline(page, 'New campaign').waitFor();
  await page.getByLabel('Name', { exact: true }).fill(campaign);
  await choose(page.getByLabel('Send to', { exact: true }), 'A segment');
  await choose(page.getByLabel('Segment', { exact: true }), segment);
  await page
    .getByText(`${readerCount} of ${readerCount + 1} contacts will get this email`)
    .first()
    .waitFor();
  await page.getByLabel('Subject', { exact: true }).fill(subjects[0]);
  await button(page, 'Choose a template').click();
  await page.getByRole('button', { name: /^Newsletter/ }).waitFor();
  yield 'starters';
  await page.getByRole('button', { name: /^Newsletter/ }).click();
  await button(page, 'Edit email').click();
  const editor = page.getByRole('textbox', { name: 'Email design' });
  await editor.getByText('The first story').click({ clickCount: 3 });
  await page.keyboard.type('What to sow in March');
  await editor.getByText('Read on').first().click();
  await page
    .getByRole('region', { name: 'Button' })
    .getByLabel('Address')
    .fill('https://garden.postrider.dev/march');
  yield 'editor';
  await button(page, 'Insert').click();
  await page.getByRole('menuitem', { name: 'Condition', exact: true }).click();
  await page.keyboard.type('For members of the club');
  const row = page.getByRole('region', { name: 'Condition' }).getByRole('group', { name: 'Condition 1' });
  await row.getByLabel('Field', { exact: true }).click();
  await page.getByLabel('Search: Field').fill('plan');
  await page.getByRole('option', { name: 'plan', exact: true }).click();
  await row.getByLabel('Value', { exact: true }).fill('club');
  yield 'editor-condition';
  await button(page, 'Done').click();
}

async function* compareSubjects(page: Page, { own }: MarketerTools): AsyncGenerator<string> {
  const { subjects } = namesOfDay(own);
  const test = page.getByRole('group', { name: 'Test', exact: true });
  await button(test, 'Add variant B').click();
  const dialog = page.getByRole('dialog', { name: 'Variant B' });
  await dialog.getByLabel('Subject', { exact: true }).fill(subjects[1]);
  yield 'variant';
  await button(dialog, 'Keep variant').click();
  await test.getByText('Another subject', { exact: true }).waitFor();
  await test.getByLabel('Sample, in percent').fill('50');
  await choose(test.getByLabel('Decision', { exact: true }), 'I choose the winner');
  await button(page, 'Save draft').click();
  await headline(page, 'Edit campaign').waitFor();
  await test
    .getByRole('status')
    .getByText(/people per variant/)
    .waitFor();
  await test.scrollIntoViewIfNeeded();
  yield 'composer';
}

async function* send(page: Page, { own, mailbox }: MarketerTools): AsyncGenerator<string> {
  const { campaign, subjects } = namesOfDay(own);
  await button(page, 'Send now').click();
  const confirm = page.getByRole('dialog');
  await confirm.getByRole('button', { name: /^Send to / }).waitFor();
  yield 'confirm';
  // Its domain has no DMARC record, and sixty readers are too few to show a difference.
  await confirm.getByLabel('Send it all the same').check();
  await confirm.getByRole('button', { name: /^Send to / }).click();
  await headline(page, campaign).waitFor();
  const panel = page.getByRole('region', { name: 'Test' });
  await panel.getByText('The test is running.').waitFor();
  for (const subject of subjects) await received(mailbox, subject);
  await button(page, 'Pause').click();
  await page.getByRole('main').getByText('Paused', { exact: true }).first().waitFor();
  yield 'paused';
  await button(page, 'Resume').click();
  await button(page, 'Pause').waitFor();
  for (const subject of subjects) await openFirst(mailbox, subject);
  await page.reload();
  await panel.getByText(/It ends on/).waitFor();
  yield 'test-running';
  await button(panel, 'Send B to the rest').click();
  await page
    .getByRole('dialog')
    .getByText(/recipients get it now/)
    .waitFor();
  yield 'decide';
  await button(page.getByRole('dialog'), 'Send to the rest').click();
  await panel.getByText('Variant B was chosen.').waitFor();
}

async function* readReport(page: Page, { project, own }: MarketerTools): AsyncGenerator<string> {
  const { campaign } = namesOfDay(own);
  const campaignPage = page.url();
  await page.getByRole('region', { name: 'Sequels' }).getByText('did not open it').waitFor();
  yield 'report';
  await page.goto(`${project}/campaigns`);
  await page.getByRole('row').filter({ hasText: campaign }).first().waitFor();
  yield 'campaigns';
  await page.goto(campaignPage);
  await button(page, 'Remind them').click();
  await headline(page, `${campaign} (2)`).waitFor();
  await page.getByRole('region', { name: 'Family' }).getByRole('link', { name: campaign }).waitFor();
  await page.getByText(`Email opened did not occur with campaign is “${campaign}”`).waitFor();
  yield 'sequel';
  await page.getByRole('link', { name: 'Edit' }).click();
  await headline(page, 'Edit campaign').waitFor();
  for (const [side, whom] of [
    ['Send to', 'Got the campaign'],
    ['Except', 'Opened the campaign'],
  ] as const)
    await page.getByRole('group', { name: side, exact: true }).getByText(whom).first().waitFor();
  yield 'sequel-composer';
}

/** The messages of a subject, as soon as there is one. */
async function received(mailbox: string, subject: string): Promise<[{ id: number }, ...{ id: number }[]]> {
  for (const end = performance.now() + 120_000; performance.now() < end; await delay(200)) {
    const answer = await fetch(`${mailbox}/api/messages?search=${encodeURIComponent(subject)}`);
    const [first, ...rest] = ((await answer.json()) as { messages: { id: number }[] }).messages;
    if (first) return [first, ...rest];
  }
  throw new Error(`No message “${subject}” has arrived within two minutes`);
}

/** Opens the newest message of a subject, and follows its first link, as a person with a phone. */
async function openFirst(mailbox: string, subject: string): Promise<void> {
  const [{ id }] = await received(mailbox, subject);
  const { html } = (await (await fetch(`${mailbox}/api/messages/${id}`)).json()) as { html: string };
  const headers = {
    'user-agent':
      'Mozilla/5.0 (iPhone; CPU iPhone OS 18_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Mobile/15E148',
  };
  for (const pattern of [/src="([^"]+\/t\/o\/[^"]+)"/, /href="([^"]+\/t\/c\/[^"]+)"/]) {
    const [, url] = pattern.exec(html) ?? [];
    if (!url) throw new Error(`The message “${subject}” has nothing like ${pattern.source}`);
    await fetch(url.replaceAll('&amp;', '&'), { headers, redirect: 'manual' });
  }
}

/** What a marketer looks at on a phone afterwards. */
export async function* marketerOnPhone(
  page: Page,
  { project, own }: Pick<MarketerTools, 'project' | 'own'>,
): AsyncGenerator<string> {
  const { campaign, segment } = namesOfDay(own);
  await page.goto(`${project}/campaigns`);
  await page.getByRole('link', { name: campaign, exact: true }).first().waitFor();
  yield 'campaigns';
  await page.getByRole('link', { name: campaign, exact: true }).first().click();
  await page.getByRole('region', { name: 'Test' }).getByText('Variant B was chosen.').waitFor();
  yield 'report';
  await page.getByRole('region', { name: 'Sequels' }).scrollIntoViewIfNeeded();
  yield 'report-sequels';
  await page.goto(`${project}/segments`);
  await page.getByRole('link', { name: segment, exact: true }).first().click();
  await headline(page, segment).waitFor();
  yield 'segment';
}
