import { z } from 'zod';
import { dataWarnings } from '../../audience/contacts/contacts.schema.ts';
import {
  accepting,
  addressText,
  cursorQuery,
  diagnosisClass,
  emailClass,
  emailSource,
  filterEnum,
  isoDate,
  logged,
  mailboxAddress,
  mailboxProblems,
  namedEnum,
  normalizeAddress,
  normalizeSender,
  notGiven,
  optionalText,
  periodBound,
  readMailbox,
  recordId,
  typeNames,
  uuid,
  withFieldsOf,
} from '../../base/kernel/schemas.ts';
import { preheaderSource } from '../../content/templates/email-content.schema.ts';
import { isBase64 } from '../message/base64.rules.ts';
import { isRefusedHeader } from '../message/header-names.rules.ts';

/** A mailbox in a request: an address, or an address with a display name. */
export interface Mailbox {
  email: string;
  name: string | null;
}

const mailboxJson = {
  anyOf: [
    {
      type: 'string',
      description: 'An address, or `Name <address>`.',
      examples: ['Customer <customer@example.com>'],
    },
    {
      type: 'object',
      properties: {
        name: { type: 'string', maxLength: 200, description: 'Display name.', examples: ['Customer'] },
        email: { type: 'string', format: 'email', maxLength: 254, description: 'Address.' },
      },
      required: ['email'],
    },
  ],
};

const maxRecipients = 1_000;
const maxNameLength = 200;
const longName = `A display name has at most ${maxNameLength} characters`;

type Report = (path: (string | number)[], code: string, message: string, received?: unknown) => void;

/** Parses one mailbox; errors are reported at their own path (`to.0.email`), not as a failed union. */
function mailboxOf(
  value: unknown,
  path: (string | number)[],
  report: Report,
  normalize = normalizeAddress,
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

function read(
  text: string,
  path: (string | number)[],
  report: Report,
  normalize: typeof normalizeAddress,
): Mailbox | null {
  const mailbox = readMailbox(text, normalize);
  if (typeof mailbox === 'string') {
    const { code, message } = mailboxProblems[mailbox];
    report(path, code, message);
  } else if ((mailbox.name ?? '').length > maxNameLength) report(path, 'too_big', longName);
  else return mailbox;
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

/** The fields of mailboxes, which are read by hand. */
const mailboxFields = z.object({ email: z.unknown(), name: z.unknown() });

const recipients = withFieldsOf(
  z.union([z.array(mailboxFields), mailboxFields]),
  z
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
        const mailbox = mailboxOf(value, [], report);
        return mailbox ? [mailbox] : z.NEVER;
      }
      if (value.length === 0) report([], 'too_small', 'At least one recipient');
      if (value.length > maxRecipients) report([], 'too_big', `At most ${maxRecipients} recipients`);
      if (value.length > maxRecipients) return z.NEVER;
      const mailboxes = value.map((item, index) => mailboxOf(item, [index], report));
      return mailboxes.every((mailbox) => mailbox !== null) ? mailboxes : z.NEVER;
    }),
).register(logged, { as: 'mailbox' });

const sender = withFieldsOf(
  mailboxFields,
  z
    .unknown()
    .meta(mailboxJson)
    .transform((value, ctx): Mailbox & { isText: boolean } => {
      const mailbox = mailboxOf(value, [], reporter(ctx), normalizeSender);
      return mailbox ? { ...mailbox, isText: typeof value === 'string' } : z.NEVER;
    }),
).register(logged, { as: 'mailbox' });

/** RFC 5322 3.6.8: a field name is printable US-ASCII without the colon; here it is restricted to tokens. */
const headerName = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/;

const maxHeaders = 50;
const maxHeaderLength = 998;

const headers = z
  .record(z.string(), z.unknown())
  .meta({
    maxProperties: maxHeaders,
    propertyNames: { pattern: headerName.source },
    additionalProperties: { type: 'string', maxLength: maxHeaderLength, pattern: '^[^\\r\\n]*$' },
  })
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

/** An empty string counts as missing (behaviour B7.1). */
const filled = z
  .string()
  .refine((text) => text !== '', { params: { code: 'required' }, message: 'Required', abort: true });

const attachment = z
  .object({
    filename: filled
      .max(255)
      .regex(/^[^"\p{Cc}]*$/u, 'Must not contain CR, LF or quotes')
      .meta({
        minLength: 1,
        description: 'File name, 1 to 255 characters.',
        examples: ['invoice.pdf'],
      }),
    content: filled
      .refine((text) => isBase64(text), {
        params: { code: 'invalid_string' },
        message: 'Not base64',
      })
      .transform((text) => Buffer.from(text, 'base64'))
      .meta({
        description: 'Content of the file in base64.',
        minLength: 1,
        contentEncoding: 'base64',
        examples: ['SW52b2ljZSAxMDAx'],
      }),
    contentType: filled
      .max(255)
      .regex(
        /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+\/[!#$%&'*+\-.^_`|~0-9A-Za-z]+(\s*;[^\r\n]*)?$/,
        'Not a content type',
      )
      .meta({ minLength: 1, description: 'Media type, 1 to 255 characters.', examples: ['application/pdf'] }),
    contentId: notGiven(
      z
        .string()
        .min(1)
        .max(255)
        .regex(/^[^<>\r\n]*$/, 'Must not contain <, >, CR or LF'),
    ).meta({
      description: 'Name by which the HTML shows an inline file, as `cid:<contentId>`. Required by `inline`.',
      examples: ['logo'],
    }),
    disposition: notGiven(namedEnum('SendEmailAttachmentDisposition', ['attachment', 'inline']))
      .transform((value) => value ?? 'attachment')
      .describe('Whether the file is attached or shown in the HTML. Default `attachment`.'),
  })
  .register(logged, { as: 'file' });

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

const subjectText =
  'Subject, 1 to 998 characters without a newline; a Liquid template. Required without a template; otherwise it overrides that of the template.';
const bodyText =
  'HTML, 1 to 2,000,000 characters; a Liquid template. Required without a template; otherwise it overrides that of the template.';
const subjectExample = 'Your order {{order}} has shipped';
const bodyExample = '<p>Your order {{order}} has shipped.</p>';

/** The body of `POST /v1/send` (behaviour B4.2). */
const sendBody = z
  .object({
    to: recipients.meta({
      description:
        'One recipient or 1 to 1,000: addresses, or `{name, email}`. Each gets an email of its own.',
      examples: ['customer@example.com'],
    }),
    subject: notGiven(
      z
        .string()
        .min(1)
        .max(998)
        .refine((text) => !/[\r\n]/.test(text), {
          params: { code: 'invalid_string' },
          message: 'Must not contain a newline',
        })
        .meta({ pattern: '^[^\\r\\n]*$' }),
    ).meta({ description: subjectText, examples: [subjectExample] }),
    preheader: notGiven(preheaderSource).meta({
      description: 'Preview text that inboxes show after the subject, a Liquid template.',
      examples: ['It arrives tomorrow'],
    }),
    body: notGiven(z.string().min(1).max(maxSource)).meta({ description: bodyText, examples: [bodyExample] }),
    template: notGiven(uuid).describe('Id of a template.'),
    from: notGiven(sender).meta({
      description:
        'Sender: an address of a verified domain, or `{name, email}`. Required without a template; otherwise it overrides that of the template.',
      examples: [{ name: 'Example Shop', email: 'hello@example.com' }],
    }),
    name: notGiven(z.string().max(maxNameLength)).meta({
      description: 'Display name of the sender, where `from` is a string. Deprecated: use `from.name`.',
      examples: ['Example Shop'],
      deprecated: true,
    }),
    type: notGiven(z.enum(['html', 'markdown'])).meta({
      description:
        'Without effect: `body` is always HTML. Accepted because clients of other services send it.',
      examples: ['html'],
      deprecated: true,
    }),
    subscribed: notGiven(z.boolean()).meta({
      description:
        'Sets whether the recipients receive marketing email. Without it existing contacts keep their state and new ones are not subscribed.',
      examples: [false],
    }),
    data: notGiven(z.record(z.string(), z.unknown())).meta({
      description:
        'Variables of the content. Strings, numbers and booleans are stored on the contacts too, unless given as `{value, persistent: false}`.',
      examples: [{ order: { value: 1001, persistent: false } }],
    }),
    headers: notGiven(headers).meta({
      description:
        'Further headers, at most 50, values at most 998 characters. Names are tokens of RFC 5322; headers that Postrider writes itself are refused.',
      examples: [{ 'X-Entity-Ref-ID': 'order-1001' }],
    }),
    reply: notGiven(mailboxAddress).meta({
      description: 'Address for replies, or `Name <address>`. Default the sender.',
      examples: ['support@example.com'],
    }),
    tracking: notGiven(z.boolean()).describe(
      'Whether opens and clicks are tracked. Default the setting of the project.',
    ),
    attachments: notGiven(attachments).describe(
      'Files, at most 10 and 10 MB together, unless the installation sets other limits.',
    ),
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

const requiredSubject = z
  .string()
  .min(1)
  .max(998)
  .regex(/^[^\r\n]*$/);

export const sendInput = accepting(
  sendBody,
  z.xor([
    z
      .object({
        ...sendBody.shape,
        template: z
          .null()
          .optional()
          .meta({ description: 'Not used in this form.', examples: [null] }),
        subject: requiredSubject.meta({ description: subjectText, examples: [subjectExample] }),
        body: z
          .string()
          .min(1)
          .max(maxSource)
          .meta({ description: bodyText, examples: [bodyExample] }),
        from: sender.meta({
          description: 'Sender: an address of a verified domain, or `{name, email}`.',
          examples: [{ name: 'Example Shop', email: 'hello@example.com' }],
        }),
      })
      .meta({ title: 'With its own content' }),
    z
      .object({ ...sendBody.shape, template: uuid.describe('Id of the template.') })
      .meta({ title: 'With a template' }),
  ]),
);

export type SendInput = z.output<typeof sendInput>;

export const sendOutput = z
  .object({
    emails: z
      .array(
        z.object({
          contact: z
            .object({
              id: recordId.describe('Id of the contact.'),
              email: addressText.describe('Address of the contact.'),
            })
            .describe('The recipient.'),
          email: recordId.describe('Id of the email.').register(logged, { as: 'email' }),
        }),
      )
      .describe('One email for each recipient, in the order of the request.'),
    timestamp: isoDate.describe('When the request was accepted.'),
    warnings: dataWarnings,
  })
  .register(typeNames, { name: 'SendEmailPayload' });

export const emailStatus = namedEnum('EmailStatus', [
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
/** What the receiving side said about an email (behaviour B3.7). */
export const emailDiagnosis = z
  .object({
    class: diagnosisClass.describe('What it says, whichever way it arrived.'),
    code: z
      .string()
      .nullable()
      .meta({ description: 'Enhanced status code (RFC 3463); null without one.', examples: ['5.1.1'] }),
    reply: z
      .int()
      .nullable()
      .meta({ description: 'Reply code of SMTP; null without one.', examples: [550] }),
    text: z
      .string()
      .nullable()
      .meta({
        description: 'Its words, at most 500 characters; null once the contact is deleted.',
        examples: ['550 5.1.1 User unknown'],
      }),
    at: isoDate.describe('When it said so.'),
  })
  .register(typeNames, { name: 'EmailDiagnosis' });

export const emailRecord = z
  .object({
    id: recordId.describe('Id of the email.'),
    projectId: recordId.describe('Id of the project.'),
    contactId: recordId.nullable().describe('Id of the contact; null once the contact is deleted.'),
    to: z.string().meta({
      description: 'Address of the recipient; empty once the contact is deleted.',
      examples: ['customer@example.com'],
    }),
    toName: z
      .string()
      .nullable()
      .meta({ description: 'Display name of the recipient.', examples: ['Customer'] }),
    from: z.string().meta({ description: 'Address of the sender.', examples: ['hello@example.com'] }),
    fromName: z
      .string()
      .nullable()
      .meta({ description: 'Display name of the sender.', examples: ['Example Shop'] }),
    replyTo: z
      .string()
      .nullable()
      .meta({ description: 'Address for replies; null for the sender.', examples: ['support@example.com'] }),
    subject: z.string().meta({ description: 'Rendered subject.', examples: ['Your order has shipped'] }),
    type: emailClass.describe('Type of the email.'),
    sourceType: emailSource.describe('What made the email.'),
    templateId: recordId.nullable().describe('Template that the content came from.'),
    campaignId: recordId.nullable().describe('Campaign that the email belongs to.'),
    workflowExecutionId: recordId.nullable().describe('Execution of the workflow that sent it.'),
    workflowStepExecutionId: recordId.nullable().describe('Step of the execution that sent it.'),
    status: emailStatus.meta({ description: 'State of delivery and engagement.', examples: ['DELIVERED'] }),
    reason: z
      .string()
      .nullable()
      .meta({ description: 'Why the email was skipped; null unless it was.', examples: [null] }),
    error: z
      .string()
      .nullable()
      .meta({ description: 'Why delivery failed; null unless it did.', examples: [null] }),
    diagnosis: emailDiagnosis
      .nullable()
      .describe(
        'What the receiving side said when it refused or returned the email last; null if it did not.',
      ),
    messageId: z
      .string()
      .nullable()
      .meta({
        description:
          'Message-ID of the email, without angle brackets; with Amazon SES, the id that it gave the message.',
        examples: ['0198c1a4-7d1e-7b3a-9c55-2f6d8e4b1a90@example.com'],
      }),
    attempts: z
      .int()
      .min(0)
      .meta({ description: 'Number of delivery attempts.', examples: [1] }),
    nextAttemptAt: nullableDate.meta({
      description: 'When delivery is tried next; null when it is not.',
      examples: [null],
    }),
    opens: z
      .int()
      .min(0)
      .meta({ description: 'Number of counted opens.', examples: [1] }),
    clicks: z
      .int()
      .min(0)
      .meta({ description: 'Number of counted clicks.', examples: [1] }),
    sentAt: nullableDate.describe('When a mail server accepted it.'),
    deliveredAt: nullableDate.describe('When delivery was confirmed.'),
    openedAt: nullableDate.describe('When it was opened first.'),
    clickedAt: nullableDate.describe('When a link was clicked first.'),
    bouncedAt: nullableDate.meta({ description: 'When it bounced.', examples: [null] }),
    complainedAt: nullableDate.meta({ description: 'When the recipient complained.', examples: [null] }),
    createdAt: isoDate.describe('When the email was created.'),
    updatedAt: isoDate.describe('When the email last changed.'),
  })
  .describe('An email.')
  .register(typeNames, { name: 'Email' });

export type EmailRecord = z.output<typeof emailRecord>;

export const emailListInput = z.object({
  ...cursorQuery,
  status: filterEnum('status', emailStatus).describe('Only emails in this state.'),
  sourceType: filterEnum('sourceType', emailSource).describe('Only emails from this source.'),
  class: filterEnum('class', diagnosisClass).describe(
    'Only emails that were refused or returned with a diagnosis of this class.',
  ),
  contactId: notGiven(uuid).describe('Only emails to this contact.'),
  campaignId: notGiven(uuid).describe('Only emails of this campaign.'),
  templateId: notGiven(uuid).describe('Only emails made from this template.'),
  search: optionalText(255).meta({
    description:
      'Part of the address of the recipient or of the subject, in any case. At most 255 characters.',
    examples: ['@example.com'],
  }),
  from: notGiven(periodBound).describe('Only emails created at or after this time, or from this day on.'),
  to: notGiven(periodBound).describe('Only emails created before this time, or until the end of this day.'),
});
