/** Ids of emails are UUIDs of version 7; in a Message-ID they come before the domain of the sender. */
const messageId = /<([0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12})@[^>\s]+>/gi;

/** The emails that a line of a mail server's log names, by their Message-IDs. */
export const emailsIn = (line: string): string[] =>
  [...line.matchAll(messageId)].map(([, id = '']) => id.toLowerCase());

const unsubscribed = /\/u\/([\w-]{16,})(\/unsubscribe)?(?=["'\s?\\]|$)/;

export interface RepeatedOptOut {
  token: string;
  source: 'one_click' | 'page';
}

/** The request to an unsubscribe link that a line of an access log names, whatever its format; null for every other line. */
export function optOutIn(line: string): RepeatedOptOut | null {
  const [, token, page] = unsubscribed.exec(line) ?? [];
  if (token === undefined || !/\bPOST\b/.test(line)) return null;
  return { token, source: page === undefined ? 'one_click' : 'page' };
}
