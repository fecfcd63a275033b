import { z } from 'zod';
import {
  cursorQuery,
  emailAddress,
  emailClass,
  emailSource,
  filterEnum,
  instant,
  isEmailAddress,
  isoDate,
  namedEnum,
  normalizeAddress,
  notGiven,
  typeNames,
  uuid,
} from '../kernel/schemas.ts';
import { preheaderSource } from '../templates/email-content.schema.ts';
import { isBase64 } from './base64.rules.ts';
import { isRefusedHeader } from './header-names.rules.ts';

/** A mailbox as callers write it: an address, or an address with a display name. */
export interface Mailbox {
  email: string;
  name: string | null;
}

const mailboxJson = {
  anyOf: [
    { type: 'string', format: 'email' },
    {
      type: 'object',
      properties: { name: { type: 'string' }, email: { type: 'string', format: 'email' } },
      required: ['email'],
    },
  ],
};

const maxRecipients = 1_000;
const maxNameLength = 200;

type Report = (path: (string | number)[], code: string, message: string, received?: unknown) => void;

/** Reads one mailbox; what is wrong with it is reported at its own path (`to.0.email`), not as a failed union. */
function readMailbox(value: unknown, path: (string | number)[], report: Report): Mailbox | null {
  if (typeof value === 'string') return readAddress(value, null, path, report);
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
  return readAddress(email, name?.trim() || null, [...path, 'email'], report);
}

function readAddress(
  text: string,
  name: string | null,
  path: (string | number)[],
  report: Report,
): Mailbox | null {
  const email = normalizeAddress(text);
  if (email === '') report(path, 'required', 'Required');
  else if (isEmailAddress(email)) return { email, name };
  else report(path, 'invalid_string', 'Invalid email address');
  return null;
}

const reporter =
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

const recipients = z
  .unknown()
  .meta({
    anyOf: [
      ...mailboxJson.anyOf,
      { type: 'array', items: mailboxJson, minItems: 1, maxItems: maxRecipients },
    ],
  })
  .transform((value, ctx): Mailbox[] => {
    const report = reporter(ctx);
    if (!Array.isArray(value)) {
      const mailbox = readMailbox(value, [], report);
      return mailbox ? [mailbox] : z.NEVER;
    }
    if (value.length === 0) report([], 'too_small', 'At least one recipient');
    if (value.length > maxRecipients) report([], 'too_big', `At most ${maxRecipients} recipients`);
    if (value.length > maxRecipients) return z.NEVER;
    const mailboxes = value.map((item, index) => readMailbox(item, [index], report));
    return mailboxes.every((mailbox) => mailbox !== null) ? mailboxes : z.NEVER;
  });

const sender = z
  .unknown()
  .meta(mailboxJson)
  .transform((value, ctx): Mailbox & { isPlainAddress: boolean } => {
    const mailbox = readMailbox(value, [], reporter(ctx));
    return mailbox ? { ...mailbox, isPlainAddress: typeof value === 'string' } : z.NEVER;
  });

/** RFC 5322 3.6.8: a field name is printable US-ASCII without the colon; ours are tokens without other specials. */
const headerName = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/;

const maxHeaders = 50;
const maxHeaderLength = 998;

const headers = z
  .record(z.string(), z.unknown())
  .meta({ additionalProperties: { type: 'string', maxLength: maxHeaderLength } })
  .transform((value, ctx): Record<string, string> => {
    const report = reporter(ctx);
    const entries = Object.entries(value);
    if (entries.length > maxHeaders) {
      report([], 'too_big', `At most ${maxHeaders} headers`);
      return z.NEVER;
    }
    for (const [name, text] of entries) {
      if (!headerName.test(name)) report([name], 'custom', 'Not a header name (RFC 5322)');
      else if (isRefusedHeader(name))
        report([name], 'custom', 'This header is set by Postrider or by mail servers');
      else if (typeof text !== 'string') report([name], 'invalid_type', 'Expected a string', typeof text);
      else if (text.length > maxHeaderLength)
        report([name], 'too_big', `At most ${maxHeaderLength} characters`);
      else if (/[\r\n]/.test(text)) report([name], 'custom', 'Must not contain CR or LF');
    }
    return value as Record<string, string>;
  });

const attachment = z.object({
  filename: z
    .string()
    .min(1)
    .max(255)
    .regex(/^[^"\p{Cc}]*$/u, 'Must not contain CR, LF or quotes'),
  content: z
    .string()
    .min(1)
    .refine((text) => isBase64(text), {
      params: { code: 'invalid_string' },
      message: 'Not base64',
    })
    .transform((text) => Buffer.from(text, 'base64')),
  contentType: z
    .string()
    .min(1)
    .max(255)
    .regex(
      /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+\/[!#$%&'*+\-.^_`|~0-9A-Za-z]+(\s*;[^\r\n]*)?$/,
      'Not a content type',
    ),
  contentId: notGiven(
    z
      .string()
      .min(1)
      .max(255)
      .regex(/^[^<>\r\n]*$/, 'Must not contain <, >, CR or LF'),
  ),
  disposition: notGiven(namedEnum('SendEmailAttachmentDisposition', ['attachment', 'inline'])).transform(
    (value) => value ?? 'attachment',
  ),
});

export type AttachmentInput = z.output<typeof attachment>;

const attachments = z.array(attachment).superRefine((items, ctx) => {
  items.forEach((item, index) => {
    if (item.disposition !== 'inline' || item.contentId !== undefined) return;
    ctx.addIssue({
      code: 'custom',
      params: { code: 'required' },
      message: 'An inline attachment needs a contentId',
      path: [index, 'contentId'],
    });
  });
});

const maxSource = 2_000_000;

/** The body of `POST /v1/send` (behaviour B4.2). */
export const sendInput = z
  .object({
    to: recipients,
    subject: notGiven(
      z
        .string()
        .min(1)
        .max(998)
        .refine((text) => !/[\r\n]/.test(text), {
          params: { code: 'invalid_string' },
          message: 'Must not contain a newline',
        }),
    ),
    preheader: notGiven(preheaderSource),
    body: notGiven(z.string().min(1).max(maxSource)).describe(
      'HTML; `{{variable}}` placeholders are filled in',
    ),
    template: notGiven(uuid),
    from: notGiven(sender),
    name: notGiven(z.string().max(maxNameLength)).describe(
      'Deprecated display name, used when `from` is a string',
    ),
    subscribed: notGiven(z.boolean()),
    data: notGiven(z.record(z.string(), z.unknown())),
    headers: notGiven(headers),
    reply: notGiven(emailAddress),
    tracking: notGiven(z.boolean()),
    attachments: notGiven(attachments),
  })
  .superRefine((input, ctx) => {
    const need = (field: string, message: string): void => {
      ctx.addIssue({ code: 'custom', params: { code: 'required' }, message, path: [field] });
    };
    if (input.template !== undefined) return;
    if (input.subject === undefined || input.body === undefined) {
      need('template', 'Give either a template, or both subject and body');
    }
    if (input.from === undefined) need('from', 'Could not parse sender email');
  });

export type SendInput = z.output<typeof sendInput>;

export const sendOutput = z
  .object({
    emails: z.array(
      z.object({ contact: z.object({ id: z.string(), email: z.string() }), email: z.string() }),
    ),
    timestamp: isoDate,
  })
  .register(typeNames, { name: 'SendEmailPayload' });

const emailStatus = namedEnum('EmailStatus', [
  'PENDING',
  'SENDING',
  'SENT',
  'DELIVERED',
  'OPENED',
  'CLICKED',
  'BOUNCED',
  'COMPLAINED',
  'FAILED',
  'SKIPPED',
  'UNCERTAIN',
]);

const nullableDate = isoDate.nullable();

/** One email with its whole history (B2.8). */
export const emailRecord = z
  .object({
    id: z.string(),
    projectId: z.string(),
    contactId: z.string().nullable(),
    to: z.string(),
    toName: z.string().nullable(),
    from: z.string(),
    fromName: z.string().nullable(),
    replyTo: z.string().nullable(),
    subject: z.string(),
    type: emailClass,
    sourceType: emailSource,
    templateId: z.string().nullable(),
    campaignId: z.string().nullable(),
    workflowExecutionId: z.string().nullable(),
    workflowStepExecutionId: z.string().nullable(),
    status: emailStatus,
    reason: z.string().nullable(),
    error: z.string().nullable(),
    messageId: z.string().nullable(),
    attempts: z.int(),
    nextAttemptAt: nullableDate,
    opens: z.int(),
    clicks: z.int(),
    sentAt: nullableDate,
    deliveredAt: nullableDate,
    openedAt: nullableDate,
    clickedAt: nullableDate,
    bouncedAt: nullableDate,
    complainedAt: nullableDate,
    createdAt: isoDate,
    updatedAt: isoDate,
  })
  .register(typeNames, { name: 'Email' });

export type EmailRecord = z.output<typeof emailRecord>;

export const emailListInput = z.object({
  ...cursorQuery,
  status: filterEnum('status', emailStatus),
  sourceType: filterEnum('sourceType', emailSource),
  contactId: notGiven(uuid),
  campaignId: notGiven(uuid),
  from: notGiven(instant),
  to: notGiven(instant),
});
