import { z } from 'zod';
import { statedConsent } from '../../audience/consent/consent.schema.ts';
import { dataWarnings } from '../../audience/contacts/contacts.schema.ts';
import { contactFilter } from '../../audience/contacts/reference.schema.ts';
import { storedTopic } from '../../audience/topics/topics.schema.ts';
import {
  accepting,
  addressText,
  assertSame,
  cursorQuery,
  diagnosisClass,
  directionQuery,
  emailAddress,
  emailClass,
  emailSource,
  filterEnum,
  isoDate,
  logged,
  type Mailbox,
  mailboxFields,
  mailboxJson,
  mailboxOf,
  namedEnum,
  normalizeSender,
  notGiven,
  optionalText,
  periodBound,
  recordId,
  replyMailboxes,
  reporter,
  sortEnum,
  sortText,
  typeNames,
  uuid,
  withFieldsOf,
} from '../../base/kernel/schemas.ts';
import { preheaderSource, textSource } from '../../content/templates/email-content.schema.ts';
import { templateReference } from '../../content/templates/template-reference.schema.ts';
import { isBase64 } from '../message/base64.rules.ts';
import { isRefusedHeader } from '../message/header-names.rules.ts';
import { metadataFilter, metadataInput, tagFilter, tagsInput } from './labels.schema.ts';
import { checkRecipients, copiedRecipients, recipients } from './recipients.schema.ts';
import { checkSendTimes, sendTimeFields, waitFields } from './schedule.schema.ts';

const emailVariant = namedEnum('EmailVariant', ['A', 'B', 'C', 'D', 'E', 'F', 'G', 'H', 'REST']);

const maxNameLength = 200;
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

/** Headers that are fields of the request. */
const copyFields = new Set(['cc', 'bcc']);
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
      else if (copyFields.has(name.toLowerCase()))
        report([name], 'custom', `Give these recipients in "${name.toLowerCase()}" instead`);
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
        // Other languages do not know \p{Cc}.
        pattern: '^[^"\\u0000-\\u001f\\u007f-\\u009f]*$',
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
    contentType: notGiven(
      filled
        .max(255)
        .regex(
          /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+\/[!#$%&'*+\-.^_`|~0-9A-Za-z]+(\s*;[^\r\n]*)?$/,
          'Not a content type',
        )
        .meta({ minLength: 1 }),
    ).meta({
      description:
        'Media type, 1 to 255 characters. Default that of the ending of `filename`, or `application/octet-stream`.',
      examples: ['application/pdf'],
    }),
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

const attachments = z.array(attachment.meta({ 'x-name': 'Attachment' })).superRefine((items, ctx) => {
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
  'HTML, 1 to 2,000,000 characters; a Liquid template. Without a template, it or `text` is required; otherwise it overrides that of the template.';
const textText =
  'Plain-text part, 1 to 2,000,000 characters; a Liquid template whose values are not escaped. Without it, it is made from `body`; without `body` and template, the message has this part alone.';
const textExample = 'Your order {{order}} has shipped.';
const subjectExample = 'Your order {{order}} has shipped';
const bodyExample = '<p>Your order {{order}} has shipped.</p>';

/** The body of `POST /v1/send` (behaviour B4.2). */
const sendBody = z
  .object({
    to: recipients.meta({
      description:
        'One recipient or 1 to 1,000: addresses, or `{name, email}`. Each gets a message of its own, unless `together` is true.',
      examples: ['customer@example.com'],
    }),
    cc: notGiven(copiedRecipients).meta({
      description:
        'Who gets a copy of the message and is named in it: one recipient or several. Needs exactly one recipient in `to`, or `together`. The request then makes one message, for at most 50 different addresses.',
      examples: ['accounting@example.com'],
    }),
    bcc: notGiven(copiedRecipients).meta({
      description:
        'Who gets a copy of the message without being named in it: one recipient or several. Needs exactly one recipient in `to`, or `together`.',
      examples: ['archive@example.com'],
    }),
    together: notGiven(z.boolean()).meta({
      description:
        'Whether all recipients get one message, filled in for the first of them, in which they see one another: at most 50 different addresses, transactional email only. Default false.',
      examples: [true],
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
    text: notGiven(textSource).meta({ description: textText, examples: [textExample] }),
    template: notGiven(templateReference).describe('Id or alias of a template.'),
    topic: notGiven(z.string().trim().max(100)).meta({
      description:
        'Key of the topic that the emails belong to, in place of that of the template. Without either, email of a template that is not transactional belongs to `general`. Transactional email with a topic reaches everybody who has not said no to it.',
      examples: ['product-news'],
    }),
    strictVariables: notGiven(z.boolean()).meta({
      description:
        'Whether the request is refused if an output that a recipient would reach has no value: missing, null or an empty string. Default false: it is left empty.',
      examples: [true],
    }),
    literal: notGiven(z.boolean()).meta({
      description:
        'Whether `subject`, `preheader`, `body` and `text` are final, whatever braces they have: nothing in them is a template. Not beside `template`. Default false.',
      examples: [false],
    }),
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
    consent: statedConsent,
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
    reply: notGiven(replyMailboxes).meta({
      description: 'The same as `replyTo`.',
      examples: ['support@example.com'],
    }),
    replyTo: notGiven(replyMailboxes).meta({
      description:
        'Address for replies, or 1 to 5 of them: an array, or one text with commas between them, as in the header. Default that of the template, or the sender.',
      examples: ['support@example.com'],
    }),
    tags: notGiven(tagsInput).meta({
      description: 'What the emails belong to: 1 to 10 tags of 1 to 64 characters without commas.',
      examples: [['receipt', 'shop-3']],
    }),
    metadata: notGiven(metadataInput).meta({
      description:
        'What identifies the emails in another system: at most 20 keys, values of at most 500 characters, kept as strings; 4 KB in total.',
      examples: [{ orderId: '1001' }],
    }),
    tracking: notGiven(z.boolean()).describe(
      'Whether opens and clicks are tracked. Default the setting of the project.',
    ),
    attachments: notGiven(attachments).describe(
      'Files, at most 10 and 10 MB together, unless the installation sets other limits.',
    ),
    ...sendTimeFields(
      'When to send it. Without it, or at a time within the last minute, it is sent at once',
      null,
    ),
  })
  .superRefine((input, ctx) => {
    checkSendTimes(input, ctx);
    checkRecipients(input, ctx);
    const need = (field: string, message: string): void => {
      ctx.addIssue({ code: 'custom', params: { code: 'required' }, message, path: [field] });
    };
    assertSame(ctx, ['reply', 'replyTo'], input);
    if (input.template !== undefined) {
      if (input.literal) {
        ctx.addIssue({
          code: 'custom',
          params: { code: 'custom' },
          message: 'A template is not literal',
          path: ['literal'],
        });
      }
      return;
    }
    if (input.subject === undefined) need('template', 'Give either a template, or a subject');
    if (input.body === undefined && input.text === undefined) need('body', 'Give a body, a text, or both');
    if (input.from === undefined) need('from', 'Could not parse sender email');
  });

const requiredSubject = z
  .string()
  .min(1)
  .max(998)
  .regex(/^[^\r\n]*$/);

const ownContent = {
  ...sendBody.shape,
  template: z
    .null()
    .optional()
    .meta({ description: 'Not used in this form.', examples: [null] }),
  subject: requiredSubject.meta({ description: subjectText, examples: [subjectExample] }),
  from: sender.meta({
    description: 'Sender: an address of a verified domain, or `{name, email}`.',
    examples: [{ name: 'Example Shop', email: 'hello@example.com' }],
  }),
};

export const sendInput = accepting(
  sendBody.register(typeNames, { name: 'SendEmailInput' }),
  z.xor([
    z
      .object({
        ...ownContent,
        body: z
          .string()
          .min(1)
          .max(maxSource)
          .meta({ description: bodyText, examples: [bodyExample] }),
      })
      .meta({ 'x-name': 'SendEmailInput', title: 'With its own content' }),
    z
      .object({
        ...ownContent,
        body: z
          .null()
          .optional()
          .meta({ description: 'Not used in this form.', examples: [null] }),
        text: textSource.meta({ description: textText, examples: [textExample] }),
      })
      .meta({ 'x-name': 'SendEmailInput', title: 'With its own text alone' }),
    z
      .object({ ...sendBody.shape, template: templateReference.describe('Id or alias of the template.') })
      .meta({ 'x-name': 'SendEmailInput', title: 'With a template' }),
  ]),
);

export type SendInput = z.output<typeof sendInput>;

const recipientKind = namedEnum('EmailRecipientType', ['TO', 'CC', 'BCC']);
const acceptedStatus = namedEnum('AcceptedEmailStatus', ['PENDING', 'SCHEDULED', 'SKIPPED']);

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
            .nullable()
            .describe('The recipient; null for those of `cc` and `bcc`, who do not become contacts.'),
          email: recordId.describe('Id of the email.').register(logged, { as: 'email' }),
          to: addressText.describe('Address that the email goes to.'),
          recipientType: recipientKind.describe('In which field of the message the recipient is.'),
          status: acceptedStatus.describe('`SKIPPED` if it will not be sent.'),
          reason: z
            .string()
            .nullable()
            .meta({
              description:
                'Why it will not be sent: `suppressed`, `topic` for somebody who chose not to receive the topic of transactional email, or `sandbox` for an address that the sandbox sender does not reach; else null.',
              examples: [null],
            }),
          ...waitFields,
        }),
      )
      .describe(
        'One email for each recipient, in the order of the request: those of `to`, then `cc`, then `bcc`. An address that a shared message is given twice has one, by its first place.',
      ),
    timestamp: isoDate.describe('When the request was accepted.'),
    warnings: dataWarnings,
  })
  .register(typeNames, { name: 'SendEmailPayload' });

export const emailStatus = namedEnum('EmailStatus', [
  'SCHEDULED',
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
    recipientType: recipientKind.describe('In which field of the message the recipient is.'),
    sharedMessageId: recordId.nullable().meta({
      description:
        'The first email of its message, if several recipients got that one message and see one another in it; else null.',
      examples: [null],
    }),
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
    topic: storedTopic,
    templateId: recordId.nullable().describe('Template that the content came from.'),
    campaignId: recordId.nullable().describe('Campaign that the email belongs to.'),
    variant: emailVariant.nullable().meta({
      description:
        'What it got in the test of its campaign: a variant, or `REST` for those that get the winner. Null without a test.',
      examples: [null],
    }),
    workflowExecutionId: recordId.nullable().describe('Execution of the workflow that sent it.'),
    workflowStepExecutionId: recordId.nullable().describe('Step of the execution that sent it.'),
    tags: z.array(z.string()).meta({
      description: 'Tags that its request gave it.',
      examples: [['receipt', 'shop-3']],
    }),
    metadata: z.record(z.string(), z.string()).meta({
      description: 'Metadata that its request gave it; empty once the contact is deleted.',
      examples: [{ orderId: '1001' }],
    }),
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
    ...waitFields,
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

const emailSort = namedEnum('EmailSort', ['createdAt', 'scheduledAt']);

export const emailListInput = z.object({
  ...cursorQuery,
  sort: sortEnum(emailSort, 'createdAt').describe(
    `${sortText} By \`scheduledAt\`, only emails with one are listed.`,
  ),
  dir: directionQuery,
  status: filterEnum('status', emailStatus).describe('Only emails in this state.'),
  sourceType: filterEnum('sourceType', emailSource).describe('Only emails from this source.'),
  class: filterEnum('class', diagnosisClass).describe(
    'Only emails that were refused or returned with a diagnosis of this class.',
  ),
  contactId: contactFilter('Only emails of this contact'),
  recipient: notGiven(emailAddress).meta({
    description: 'Only emails to exactly this address, in any spelling.',
    examples: ['customer@example.com'],
  }),
  campaignId: notGiven(uuid).describe('Only emails of this campaign.'),
  templateId: notGiven(templateReference).describe(
    'Only emails made from this template, given by its id or alias.',
  ),
  sharedMessageId: notGiven(uuid).describe('Only the emails of this message, which several recipients got.'),
  tag: tagFilter.meta({ description: 'Only emails with this tag.', examples: ['receipt'] }),
  metadata: metadataFilter.meta({
    description:
      'Only emails with this pair of metadata, `key:value`, split at the first colon. A pair that more than 5,000 emails have is 400: use a tag.',
    examples: ['orderId:1001'],
  }),
  search: optionalText(255).meta({
    description:
      'Part of the address of the recipient or of the subject, in any case. At most 255 characters.',
    examples: ['@example.com'],
  }),
  from: notGiven(periodBound).describe('Only emails created at or after this time, or from this day on.'),
  to: notGiven(periodBound).describe('Only emails created before this time, or until the end of this day.'),
});
