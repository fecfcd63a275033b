import type { Complaints } from './fields.rules.ts';

/**
 * What the services replace by a link to opt out while they send. Nothing here replaces it in a literal content, and a link that does
 * nothing is worse than an error.
 */
const mark = new RegExp(
  [
    // Postmark
    '\\{\\{\\{? {0,8}pm:unsubscribe(?:_url)? {0,8}\\}\\}',
    // Resend
    '\\{\\{\\{? {0,8}RESEND_UNSUBSCRIBE_URL',
    // SendGrid
    '<% {0,8}asm_(?:group|global|preferences)_?[a-z_]{0,30} {0,8}%>',
    // Mailgun
    '%(?:mailing_list_|tag_)?unsubscribe_(?:url|email)%',
  ].join('|'),
  'i',
);

/** Refuses such marks in headers. @param prefix before their names */
export const refuseMarksInHeaders = (
  headers: Readonly<Record<string, unknown>> | null,
  prefix: string,
  complaints: Complaints,
): void =>
  refuseMarks(
    Object.entries(headers ?? {}).map(([name, value]) => [`${prefix}${name}`, value]),
    complaints,
  );

/** Refuses each of the texts that has such a mark. */
export function refuseMarks(
  texts: Iterable<readonly [field: string, text: unknown]>,
  complaints: Complaints,
): void {
  for (const [field, text] of texts) {
    if (typeof text !== 'string') continue;
    const found = mark.exec(text)?.[0];
    if (found !== undefined)
      complaints.refuse(
        field,
        `Nothing replaces "${found}" here: use a template, whose {{unsubscribeUrl}} works`,
      );
  }
}
