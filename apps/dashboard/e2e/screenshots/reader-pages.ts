import { recipientPages } from '@postrider/core/mail/forms/contract';
import type { Page } from 'playwright-core';
import { isAsked, loaded } from './rooms.ts';

interface Addresses {
  dashboard: string;
  mailbox: string | undefined;
  only: string;
}

/** The languages in which every page of recipients is photographed: one whose words are short, and one whose words are long. */
const languages = ['en', 'de'] as const;

const textsOf = (en: string, de: string): Record<string, string> => ({ en, de });

/**
 * Every page of recipients and visitors, in two languages, as people of the project see it in Settings › Consent: with topics to choose from and a
 * form with every type of field.
 */
export async function* everyRecipientPage(
  page: Page,
  { api, secretKey, only }: { api: string; secretKey: string; only: string },
): AsyncGenerator<string> {
  const names = recipientPages.flatMap((each) =>
    languages.map((language) => ({ each, language, name: `recipient-${each}-${language}` })),
  );
  if (!names.some(({ name }) => isAsked(name, only))) return;
  const headers = { authorization: `Bearer ${secretKey}` };
  await prepare(api, headers);
  // Only the address itself: an image of the page must not get the key.
  await page.route('**/consent/pages/**', (route, request) =>
    route.continue({ headers: { ...request.headers(), ...headers } }),
  );
  for (const { each, language, name } of names) {
    if (!isAsked(name, only)) continue;
    await page.goto(`${api}/consent/pages/${each}?language=${language}`);
    await loaded(page);
    yield name;
  }
}

/** What the pages show: a second topic, and a form. Made once. */
async function prepare(api: string, headers: Record<string, string>): Promise<void> {
  const post = (path: string, body: object): Promise<Response> =>
    fetch(api + path, {
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
  const { data } = (await (await fetch(`${api}/forms`, { headers })).json()) as { data: { name: string }[] };
  if (data.some(({ name }) => name === formName)) return;
  await post('/topics', {
    key: 'events',
    name: textsOf('Events', 'Veranstaltungen'),
    description: textsOf('Where we meet, four times a year', 'Wo wir uns treffen, viermal im Jahr'),
    default: 'OUT',
  });
  await post('/forms', {
    name: formName,
    title: textsOf('Our newsletter', 'Unser Newsletter'),
    text: textsOf('What is new, once a month.', 'Was es Neues gibt, einmal im Monat.'),
    consentText: textsOf(
      'Send me news about products and events. I can unsubscribe at any time.',
      'Ich möchte Neuigkeiten über Produkte und Veranstaltungen bekommen und kann mich jederzeit abmelden.',
    ),
    topics: ['general', 'events'],
    fields: [
      { key: 'firstName', label: textsOf('First name', 'Vorname'), type: 'TEXT', required: true },
      {
        key: 'plan',
        label: textsOf('Plan', 'Tarif'),
        type: 'SELECT',
        options: [{ value: 'pro', label: textsOf('Pro', 'Profi') }],
      },
      { key: 'born', label: textsOf('Date of birth', 'Geburtsdatum'), type: 'DATE' },
      { key: 'adult', label: textsOf('I am of age', 'Ich bin volljährig'), type: 'CHECKBOX' },
    ],
  });
}

const formName = 'Footer of the site';

/** What recipients see: the pages behind the links of an email, and an email of the platform; and the pages for developers. */
export async function* everyReaderPage(
  page: Page,
  { dashboard, mailbox = '', only }: Addresses,
): AsyncGenerator<string> {
  const footer = await findIn(mailbox, '', (html) => /https?:[^"]*\/u\/[\w-]+/.exec(html)?.[0]);
  const invitation = await findIn(mailbox, 'invited', (html) => /[^"]*\/signup[^"]*/.exec(html)?.[0]);
  const pages = {
    unsubscribe: footer?.found,
    subscribe: footer && `${footer.found}/subscribe`,
    preferences: footer && `${footer.found}/manage`,
    'unknown-link': `${dashboard}/u/unknown`,
    invitation: invitation && `${mailbox}/messages/${invitation.id}/html`,
    mailbox,
    message: footer && `${mailbox}/messages/${footer.id}`,
    documentation: `${dashboard}/docs`,
    guide: `${dashboard}/docs/first-email`,
    operation: `${dashboard}/docs/api/sending.send`,
    console: `${dashboard}/docs/console`,
  };
  for (const [name, address] of Object.entries(pages)) {
    if (!address || !isAsked(name, only)) continue;
    await page.goto(address);
    await loaded(page);
    yield name;
  }
}

/** The newest message of those with this word in which something is found. */
async function findIn<Found>(
  mailbox: string,
  word: string,
  find: (html: string) => Found | undefined,
): Promise<{ id: number; found: Found } | undefined> {
  const { messages } = (await (await fetch(`${mailbox}/api/messages?limit=100&search=${word}`)).json()) as {
    messages: { id: number }[];
  };
  for (const { id } of messages) {
    const { html } = (await (await fetch(`${mailbox}/api/messages/${id}`)).json()) as { html: string | null };
    const found = find(html ?? '');
    if (found) return { id, found };
  }
  return undefined;
}
