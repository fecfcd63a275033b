import { z } from 'zod';
import {
  assertSame,
  clearable,
  emailClass,
  nameIn,
  notGiven,
  replyMailboxes,
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
  text: z
    .string()
    .nullable()
    .meta({
      description: 'Plain-text part, a Liquid template; null for one that is made from `body`.',
      examples: ['Your order has shipped.'],
    }),
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
export const templateFields = {
  subject: 'text',
  preheader: 'text',
  body: 'html',
  text: 'text',
} as const satisfies {
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

/** The plain-text part. */
export const textSource = z.string().min(1).max(2_000_000);

const textWords =
  'Plain-text part, 1 to 2,000,000 characters; a Liquid template whose values are not escaped. Without it, it is made from `body`.';

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

/** Beside the fields, the second name of one. */
type ForEachField = Record<keyof EmailContent | 'reply', z.ZodType>;

const replyText =
  'Address for replies, or 1 to 5 of them: an array, or one text with commas between them, as in the header. Default the sender.';
const secondName = {
  reply: clearable(replyMailboxes).meta({
    description: 'The same as `replyTo`.',
    examples: ['support@example.com'],
  }),
};

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
  text: orNull(textSource).meta({ description: textWords, examples: ['Your order has shipped.'] }),
  from: senderMailbox.meta({
    description:
      'Address of the sender: of a verified domain, or the sandbox sender. `Name <address>` also sets `fromName`, if that is not given.',
    examples: ['hello@example.com'],
  }),
  fromName: orNull(senderName).meta({
    description: 'Display name of the sender, at most 100 characters. Default the name of the project.',
    examples: ['Example Shop'],
  }),
  replyTo: clearable(replyMailboxes).meta({ description: replyText, examples: ['support@example.com'] }),
  ...secondName,
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
  text: clearable(textSource).meta({ description: textWords, examples: ['Your order has shipped.'] }),
  from: notGiven(senderMailbox).meta({
    description:
      'Address of the sender, of a verified domain. `Name <address>` also sets `fromName`, if that is not given.',
    examples: ['hello@example.com'],
  }),
  fromName: clearable(senderName).meta({
    description: 'Display name of the sender, at most 100 characters. Default the name of the project.',
    examples: ['Example Shop'],
  }),
  replyTo: clearable(replyMailboxes).meta({ description: replyText, examples: ['support@example.com'] }),
  ...secondName,
  type: notGiven(emailClass).describe('Type of the emails made from it.'),
} satisfies ForEachField;

interface Named {
  reply?: string | null | undefined;
  replyTo?: string | null | undefined;
}

/**
 * Reads the display name in `from` as `fromName`, unless that is given, and `reply` as `replyTo`.
 *
 * @param absent the address for replies of a request that has none
 */
const naming = <Output extends Named, Input, Absent extends null | undefined>(
  schema: z.ZodType<Output, Input>,
  absent: Absent,
) =>
  z.preprocess(
    // Our own clients use the first name.
    (input: Omit<Input, 'reply'>) => {
      if (typeof input !== 'object' || input === null) return input;
      const { from, fromName } = input as { from?: unknown; fromName?: unknown };
      const name = (fromName ?? null) === null ? nameIn(from) : null;
      return name === null ? input : { ...input, fromName: name };
    },
    schema.transform(({ reply, ...input }, ctx) => {
      assertSame(ctx, ['reply', 'replyTo'], { reply, replyTo: input.replyTo });
      const given = input.replyTo === undefined ? reply : input.replyTo;
      return { ...input, replyTo: given === undefined ? absent : given };
    }),
  );

/** The input of a whole content: `reply` and the name in `from` in their own places, null for no address for replies. */
export const namingContent = <Output extends Named, Input>(schema: z.ZodType<Output, Input>) =>
  naming(schema, null);

/** The input of a change: what is not given stays. */
export const namingChange = <Output extends Named, Input>(schema: z.ZodType<Output, Input>) =>
  naming(schema, undefined);
