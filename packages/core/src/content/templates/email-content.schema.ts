import { z } from 'zod';
import {
  clearable,
  emailClass,
  mailboxAddress,
  normalizeSender,
  notGiven,
  readMailbox,
  senderMailbox,
} from '../../base/kernel/schemas.ts';

/**
 * The content and sender of an email: the fields that a template, a campaign, a stored content and a message share. A field
 * that is added here is asked for wherever such a record is written.
 */
export const emailContent = z.object({
  subject: z
    .string()
    .meta({ description: 'Subject, a Liquid template.', examples: ['Your order has shipped'] }),
  preheader: z
    .string()
    .nullable()
    .meta({
      description: 'Preview text that inboxes show after the subject, a Liquid template.',
      examples: ['It arrives tomorrow'],
    }),
  body: z
    .string()
    .meta({ description: 'HTML, a Liquid template.', examples: ['<p>Your order has shipped.</p>'] }),
  from: z.string().meta({ description: 'Address of the sender.', examples: ['hello@example.com'] }),
  fromName: z
    .string()
    .nullable()
    .meta({
      description: 'Display name of the sender; null for the name of the project.',
      examples: ['Example Shop'],
    }),
  replyTo: z
    .string()
    .nullable()
    .meta({ description: 'Address for replies; null for the sender.', examples: ['support@example.com'] }),
  type: emailClass.describe('Type of the emails made from it.'),
});

export type EmailContent = z.output<typeof emailContent>;

export const contentFields = emailContent.keyof().options;

/** The content of a record that holds more than that. */
export const contentOf = (record: EmailContent): EmailContent =>
  Object.fromEntries(contentFields.map((field) => [field, record[field]])) as EmailContent;

/** The fields that hold templates, and what they render to. */
export const templateFields = { subject: 'text', preheader: 'text', body: 'html' } as const satisfies {
  [Field in keyof EmailContent]?: 'text' | 'html';
};

export type TemplateField = keyof typeof templateFields;

/** Must not be blank, but is stored as given. */
const requiredSource = (max: number) =>
  z
    .string()
    .refine((value) => value.trim() !== '', {
      params: { code: 'required' },
      message: 'Required',
      abort: true,
    })
    .refine((value) => value.length <= max, {
      params: { code: 'too_big' },
      message: `At most ${max} characters`,
    })
    .meta({ minLength: 1, maxLength: max, pattern: '\\S' });

/** RFC 5322 2.1.1 allows lines of 998 characters; a header field is one line. */
const subjectSource = requiredSource(998).refine((value) => !/[\r\n]/.test(value), {
  params: { code: 'custom' },
  message: 'Must not contain a newline',
});

const bodySource = requiredSource(2_000_000).describe(
  'HTML; `{{variable}}` placeholders are filled at send time',
);

/** The line that inboxes show after the subject. */
export const preheaderSource = z
  .string()
  .trim()
  .max(200)
  .refine((value) => !/[\r\n]/.test(value), {
    params: { code: 'custom' },
    message: 'Must not contain a newline',
  })
  .describe(
    'The line that inboxes show after the subject; `{{variable}}` placeholders are filled at send time',
  );

const senderName = z.string().trim().max(100);

type ForEachField = Record<keyof EmailContent, z.ZodType>;

const orNull = <Schema extends z.ZodType>(schema: Schema) =>
  clearable(schema).transform((value) => value ?? null);

/** The fields of a request that writes a whole content: what is not given is null or takes its default. */
export const newContent = {
  subject: subjectSource.meta({
    description: 'Subject, 1 to 998 characters without a newline; a Liquid template.',
    examples: ['Your order has shipped'],
  }),
  preheader: orNull(preheaderSource).meta({
    description: 'Preview text that inboxes show after the subject, a Liquid template.',
    examples: ['It arrives tomorrow'],
  }),
  body: bodySource.meta({
    description: 'HTML, 1 to 2,000,000 characters; a Liquid template.',
    examples: ['<p>Your order has shipped.</p>'],
  }),
  from: senderMailbox.meta({
    description:
      'Address of the sender: of a verified domain, or the sandbox sender. `Name <address>` also sets `fromName`, if that is not given.',
    examples: ['hello@example.com'],
  }),
  fromName: orNull(senderName).meta({
    description: 'Display name of the sender, at most 100 characters. Default the name of the project.',
    examples: ['Example Shop'],
  }),
  replyTo: orNull(mailboxAddress).meta({
    description: 'Address for replies, or `Name <address>`, whose name is dropped. Default the sender.',
    examples: ['support@example.com'],
  }),
  type: notGiven(emailClass)
    .transform((type) => type ?? 'MARKETING')
    .describe(
      '`MARKETING` respects opt-outs and carries a footer, `HEADLESS` respects opt-outs, `TRANSACTIONAL` reaches everyone. Default `MARKETING`.',
    ),
} satisfies ForEachField;

/** The fields of a request that changes a content: what is not given stays, null clears what may be null. */
export const contentChange = {
  subject: notGiven(subjectSource).meta({
    description: 'Subject, 1 to 998 characters without a newline; a Liquid template.',
    examples: ['Your order has shipped'],
  }),
  preheader: clearable(preheaderSource).meta({
    description: 'Preview text that inboxes show after the subject, a Liquid template.',
    examples: ['It arrives tomorrow'],
  }),
  body: notGiven(bodySource).meta({
    description: 'HTML, 1 to 2,000,000 characters; a Liquid template.',
    examples: ['<p>Your order has shipped.</p>'],
  }),
  from: notGiven(senderMailbox).meta({
    description:
      'Address of the sender, of a verified domain. `Name <address>` also sets `fromName`, if that is not given.',
    examples: ['hello@example.com'],
  }),
  fromName: clearable(senderName).meta({
    description: 'Display name of the sender, at most 100 characters. Default the name of the project.',
    examples: ['Example Shop'],
  }),
  replyTo: clearable(mailboxAddress).meta({
    description: 'Address for replies, or `Name <address>`, whose name is dropped. Default the sender.',
    examples: ['support@example.com'],
  }),
  type: notGiven(emailClass).describe('Type of the emails made from it.'),
} satisfies ForEachField;

/** Reads the display name in `from` as `fromName`, unless that is given. */
export const namingSender = <Schema extends z.ZodType>(schema: Schema) =>
  z.preprocess((input: z.input<Schema>) => {
    if (typeof input !== 'object' || input === null) return input;
    const { from, fromName } = input as { from?: unknown; fromName?: unknown };
    if (typeof from !== 'string' || (fromName ?? null) !== null) return input;
    const mailbox = readMailbox(from, normalizeSender);
    return typeof mailbox === 'string' || mailbox.name === null
      ? input
      : { ...input, fromName: mailbox.name };
  }, schema);
