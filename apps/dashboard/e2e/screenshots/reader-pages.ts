import type { Page } from 'playwright-core';
import { isAsked, loaded } from './rooms.ts';

interface Addresses {
  dashboard: string;
  mailbox: string | undefined;
  only: string;
}

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
