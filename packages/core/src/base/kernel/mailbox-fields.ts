import { z } from 'zod';
import { normalizeAddress } from '../lib/addresses.rules.ts';
import {
  longestMailbox,
  longestMailboxList,
  type MailboxProblem,
  type MailboxText,
  mailboxText,
  readMailbox,
  splitMailboxes,
} from '../lib/mailboxes.rules.ts';
import { accepting, mailboxProblems, normalizeSender, withFieldsOf } from './fields.ts';
import { logged } from './logged.ts';

/** A mailbox in a request: an address, or an address with a display name. */
export type Mailbox = MailboxText;

type Path = (string | number)[];
type Report = (path: Path, code: string, message: string, received?: unknown) => void;
type Normalize = (given: string) => string | null;

/** A mailbox in the API reference. */
export const mailboxJson = {
  anyOf: [
    {
      type: 'string',
      description: 'An address, or `Name <address>`.',
      examples: ['Customer <customer@example.com>'],
    },
    {
      'x-name': 'Mailbox',
      type: 'object',
      properties: {
        name: { type: 'string', maxLength: 200, description: 'Display name.', examples: ['Customer'] },
        email: { type: 'string', format: 'email', maxLength: 254, description: 'Address.' },
      },
      required: ['email'],
    },
  ],
};

const maxNameLength = 200;
const longName = `A display name has at most ${maxNameLength} characters`;

/** The fields of mailboxes, which are read by hand. */
export const mailboxFields = z.object({ email: z.unknown(), name: z.unknown() });

export const reporter =
  (ctx: z.core.$RefinementCtx): Report =>
  (path, code, message, received) => {
    ctx.issues.push({
      code: 'custom',
      path,
      message,
      input: undefined,
      params: { code, ...(received === undefined ? {} : { received }) },
    });
  };

/** Parses one mailbox; errors are reported at their own path (`to.0.email`), not as a failed union. */
export function mailboxOf(
  value: unknown,
  path: Path,
  report: Report,
  normalize: Normalize = normalizeAddress,
): Mailbox | null {
  if (typeof value === 'string') return read(value, path, report, normalize);
  if (value === undefined || value === null) {
    report(path, 'required', 'Required');
    return null;
  }
  if (typeof value !== 'object' || Array.isArray(value)) {
    report(
      path,
      'invalid_type',
      'Expected an address or {name, email}',
      Array.isArray(value) ? 'array' : typeof value,
    );
    return null;
  }
  const { email, name } = value as { email?: unknown; name?: unknown };
  if (name !== undefined && name !== null && typeof name !== 'string') {
    report([...path, 'name'], 'invalid_type', 'Expected a string', typeof name);
    return null;
  }
  if (typeof name === 'string' && name.length > maxNameLength) {
    report([...path, 'name'], 'too_big', `At most ${maxNameLength} characters`);
    return null;
  }
  if (email === undefined || email === null || email === '') {
    report([...path, 'email'], 'required', 'Required');
    return null;
  }
  if (typeof email !== 'string') {
    report([...path, 'email'], 'invalid_type', 'Expected a string', typeof email);
    return null;
  }
  const mailbox = read(email, [...path, 'email'], report, normalize);
  return mailbox && { email: mailbox.email, name: name?.trim() || mailbox.name };
}

function read(text: string, path: Path, report: Report, normalize: Normalize): Mailbox | null {
  const mailbox = readMailbox(text, normalize);
  if (typeof mailbox === 'string') reportProblem(mailbox, path, report);
  else if ((mailbox.name ?? '').length > maxNameLength) report(path, 'too_big', longName);
  else return mailbox;
  return null;
}

function reportProblem(problem: MailboxProblem, path: Path, report: Report): void {
  const { code, message } = mailboxProblems[problem];
  report(path, code, message);
}

/**
 * A field that takes mailboxes and whose value is a text. GraphQL, which has no unions of inputs, sees the text.
 *
 * @param read the text; null after a report
 */
const readBy = (
  read: (value: string | object, report: Report) => string | null,
  maxLength: number,
  json: Record<string, unknown>,
) =>
  accepting(
    z.preprocess((value, ctx) => {
      // What is missing or of another type is refused by the text.
      if (typeof value !== 'string' && (typeof value !== 'object' || value === null)) return value;
      return read(value, reporter(ctx)) ?? z.NEVER;
    }, z.string().meta({ maxLength })),
    z.unknown().meta(json),
  );

/** The address of a mailbox; its name is dropped, or read by `nameIn` where the place has one. */
const addressBy = (normalize: Normalize) =>
  withFieldsOf(
    mailboxFields,
    readBy(
      (value, report) => mailboxOf(value, [], report, normalize)?.email ?? null,
      longestMailbox,
      mailboxJson,
    ),
  ).register(logged, { as: 'mailbox' });

/** A sender: an address, `Name <address>`, or `{name, email}`. */
export const senderMailbox = addressBy(normalizeSender);

/** The display name of a mailbox that has one; null for what is none. */
export const nameIn = (value: unknown): string | null =>
  mailboxOf(value, [], () => undefined, normalizeSender)?.name ?? null;

const mostReplyAddresses = 5;

/**
 * Where replies go: a mailbox, or 1 to 5 of them, as an array or in one text. One is its address, several are one text in the form of
 * the header (RFC 5322, 3.4), at most 998 characters.
 */
export const replyMailboxes = withFieldsOf(
  z.union([z.array(mailboxFields), mailboxFields]),
  readBy(replyText, longestMailbox * mostReplyAddresses, {
    anyOf: [
      ...mailboxJson.anyOf,
      { type: 'array', items: mailboxJson, minItems: 1, maxItems: mostReplyAddresses },
    ],
  }),
).register(logged, { as: 'mailbox' });

function replyText(value: string | object, report: Report): string | null {
  const items = itemsOf(value);
  if (items.length === 0) {
    report([], 'too_small', 'At least one address');
    return null;
  }
  if (items.length > mostReplyAddresses) {
    report([], 'too_big', `At most ${mostReplyAddresses} addresses`);
    return null;
  }
  const mailboxes = items.map((item, index) => mailboxOf(item, Array.isArray(value) ? [index] : [], report));
  if (!mailboxes.every((mailbox) => mailbox !== null)) return null;
  const [only, second] = mailboxes;
  if (only && !second) return only.email;
  const text = mailboxes.map(mailboxText).join(', ');
  if (text.length <= longestMailboxList) return text;
  report([], 'too_big', `At most ${longestMailboxList} characters`);
  return null;
}

function itemsOf(value: string | object): readonly unknown[] {
  if (Array.isArray(value)) return value;
  // A longer text is no list of addresses, and is refused as one that is malformed.
  return typeof value === 'string' && value.length <= longestMailbox * mostReplyAddresses
    ? splitMailboxes(value)
    : [value];
}

/** The second name of a field: both with different values are refused at it (behaviour B1.1). */
export function assertSame(
  ctx: z.core.$RefinementCtx,
  [first, second]: readonly [string, string],
  values: { readonly [Field in string]?: unknown },
): void {
  const [one, other] = [values[first], values[second]];
  if (one === undefined || other === undefined || one === other) return;
  ctx.addIssue({
    code: 'custom',
    path: [second],
    params: { code: 'custom' },
    message: `${first} and ${second} are two names of one field: give one of them`,
    input: other,
  });
}
