import { z } from 'zod';
import {
  logged,
  type Mailbox,
  mailboxFields,
  mailboxJson,
  mailboxOf,
  reporter,
  withFieldsOf,
} from '../../base/kernel/schemas.ts';

/** Elements of one field. */
const maxRecipients = 1_000;
/** Different addresses of a shared message. */
const mostOfShared = 50;

/** One mailbox, or an array of them; errors are reported at the place of each (`to.0.email`). @param name that of its component */
const mailboxes = (name: string, least: 0 | 1) =>
  withFieldsOf(
    z.union([z.array(mailboxFields), mailboxFields]),
    z
      .unknown()
      .meta({
        'x-name': name,
        anyOf: [
          ...mailboxJson.anyOf,
          {
            type: 'array',
            items: mailboxJson,
            ...(least > 0 && { minItems: least }),
            maxItems: maxRecipients,
          },
        ],
      })
      .transform((value, ctx): Mailbox[] => {
        const report = reporter(ctx);
        if (!Array.isArray(value)) {
          const mailbox = mailboxOf(value, [], report);
          return mailbox ? [mailbox] : z.NEVER;
        }
        if (value.length < least) report([], 'too_small', 'At least one recipient');
        if (value.length > maxRecipients) report([], 'too_big', `At most ${maxRecipients} recipients`);
        if (value.length > maxRecipients) return z.NEVER;
        const read = value.map((item, index) => mailboxOf(item, [index], report));
        return read.every((mailbox) => mailbox !== null) ? read : z.NEVER;
      }),
  ).register(logged, { as: 'mailbox' });

export const recipients = mailboxes('Recipients', 1);

/** An empty list is none: clients of other services send it. */
export const copiedRecipients = mailboxes('CopiedRecipients', 0);

interface Recipients {
  to: readonly Mailbox[];
  cc?: readonly Mailbox[] | undefined;
  bcc?: readonly Mailbox[] | undefined;
  together?: boolean | undefined;
}

export interface SharedRecipient extends Mailbox {
  field: 'to' | 'cc' | 'bcc';
}

/** Whether the recipients of a request get one message (behaviour B15.2). */
export const isShared = ({ cc = [], bcc = [], together }: Recipients): boolean =>
  together === true || cc.length > 0 || bcc.length > 0;

/** Every address of a shared message once, by its first place. */
export function sharedRecipients({ to, cc = [], bcc = [] }: Recipients): SharedRecipient[] {
  const byAddress = new Map<string, SharedRecipient>();
  for (const [field, mailboxesOfField] of Object.entries({ to, cc, bcc })) {
    for (const mailbox of mailboxesOfField) {
      if (!byAddress.has(mailbox.email))
        byAddress.set(mailbox.email, { ...mailbox, field: field as SharedRecipient['field'] });
    }
  }
  return [...byAddress.values()];
}

/** Refuses copies of several messages, which would show their recipients to one another, and too many recipients of one. */
export function checkRecipients(input: Recipients, ctx: z.core.$RefinementCtx): void {
  if (!isShared(input)) return;
  const report = reporter(ctx);
  const everybody = sharedRecipients(input);
  const beyond = everybody[mostOfShared];
  if (beyond)
    report([beyond.field], 'too_big', `A shared message has at most ${mostOfShared} different addresses`);
  if (input.together || everybody.filter(({ field }) => field === 'to').length === 1) return;
  for (const field of ['cc', 'bcc'] as const) {
    if ((input[field] ?? []).length === 0) continue;
    report(
      [field],
      'custom',
      'Each recipient in "to" gets a message of its own. Give one, or "together": true to have all of them see one another in one message',
    );
  }
}
