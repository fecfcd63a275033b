import { z } from 'zod';
import { givenTexts, storedTexts, topicKey } from '../../audience/topics/topics.schema.ts';
import {
  clearable,
  cursorListOf,
  cursorQuery,
  isHttpUrl,
  isoDate,
  mailLanguage,
  namedEnum,
  notGiven,
  recordId,
  requiredName,
  requiredText,
  typeNames,
  uuid,
} from '../../base/kernel/schemas.ts';
import { reservedDataKeys } from '../../base/lib/data-values.rules.ts';
import { mostFields, mostOptions, mostOrigins } from './forms.rules.ts';

export const formFieldType = namedEnum('FormFieldType', ['TEXT', 'CHECKBOX', 'SELECT', 'DATE']);

const fieldKey = requiredName(100).refine((key) => !reservedDataKeys.has(key) && key !== 'locale', {
  params: { code: 'custom' },
  message: 'This key is not of the data of a contact',
});

const keyText = {
  description: 'Key of the data of the contact that it is written to.',
  examples: ['firstName'],
};

const option = z
  .object({
    value: z.string().meta({ description: 'What is stored.', examples: ['weekly'] }),
    label: storedTexts.describe('What visitors read, by language.'),
  })
  .register(typeNames, { name: 'FormOption' });

const field = z
  .object({
    key: z.string().meta(keyText),
    label: storedTexts.describe('What visitors read, by language.'),
    type: formFieldType.describe('What it takes: a text, yes or no, one of its options, or a day.'),
    required: z.boolean().describe('Whether it must be filled in.'),
    options: z.array(option).describe('Of `SELECT`: what can be chosen; else empty.'),
  })
  .register(typeNames, { name: 'FormField' });

export type FormField = z.output<typeof field>;

const givenLabel = givenTexts(requiredText(200), 'FormLabelInput').describe(
  'What visitors read, by language: 1 to 200 characters.',
);

const givenField = z
  .object({
    key: fieldKey.meta(keyText),
    label: givenLabel,
    type: formFieldType.describe('What it takes: a text, yes or no, one of its options, or a day.'),
    required: notGiven(z.boolean())
      .transform((required) => required ?? false)
      .describe('Whether it must be filled in. Default false.'),
    options: notGiven(
      z
        .array(
          z
            .object({
              value: requiredText(200).meta({ description: 'What is stored.', examples: ['weekly'] }),
              label: givenLabel,
            })
            .register(typeNames, { name: 'FormOptionInput' }),
        )
        .max(mostOptions),
    )
      .transform((options) => options ?? [])
      .describe('Of `SELECT`: 1 to 50 that can be chosen.'),
  })
  .superRefine(({ type, options }, ctx) => {
    if ((type === 'SELECT') === options.length > 0) return;
    ctx.addIssue({
      code: 'custom',
      path: ['options'],
      params: { code: type === 'SELECT' ? 'required' : 'custom' },
      message: type === 'SELECT' ? 'Give at least one option' : 'Only a SELECT field has options',
    });
  })
  .register(typeNames, { name: 'FormFieldInput' });

/** Each key once. */
const givenFields = z
  .array(givenField)
  .max(mostFields)
  .superRefine((fields, ctx) => {
    const seen = new Set<string>();
    for (const [index, { key }] of fields.entries()) {
      if (seen.has(key)) {
        ctx.addIssue({
          code: 'custom',
          path: [index, 'key'],
          params: { code: 'custom' },
          message: 'Another field has this key',
        });
      }
      seen.add(key);
    }
  });

const givenTopics = z
  .array(topicKey)
  .max(50)
  .transform((keys) => [...new Set(keys)]);

const pageUrl = z
  .string()
  .trim()
  .max(2_000)
  .refine(isHttpUrl, {
    params: { code: 'invalid_string' },
    message: 'Must be an http or https URL without blanks, control characters or a user name',
  });

/** The origin of a page (RFC 6454): scheme, host and port. */
const origin = z
  .string()
  .trim()
  .max(300)
  .transform((text, ctx) => {
    const url = isHttpUrl(text) ? new URL(text) : null;
    if (url && url.pathname === '/' && url.search === '' && url.hash === '') return url.origin;
    ctx.addIssue({
      code: 'custom',
      params: { code: 'invalid_string' },
      message: 'Must be an origin such as https://www.example.com',
      input: text,
    });
    return z.NEVER;
  });

const words = {
  name: { description: 'Name of the form, which visitors do not see.', examples: ['Footer'] },
  enabled: { description: 'Whether it takes sign-ups.', examples: [true] },
  title: 'Its heading, by language. Its languages are those in which the form is shown.',
  text: 'What it says below that, by language; null for nothing.',
  consentText: 'The exact words that people agree to, by language.',
  button: 'The text of the button, by language; null for the built-in one.',
  fields: 'What it asks for besides the address, at most 10.',
  topics: {
    description:
      'Keys of the topics that it subscribes to. With one, sending the form chooses it; with several, visitors tick theirs.',
    examples: [['general']],
  },
  language: 'In which it is shown to whoever asks for none of its languages.',
  redirectUrl: {
    description: 'Where visitors go after sending it; null for a page that asks them to look in their inbox.',
    examples: ['https://example.com/almost-done'],
  },
  confirmedUrl: {
    description: 'Where they go after confirming; null for a page that says so.',
    examples: ['https://example.com/welcome'],
  },
  origins: {
    description:
      'Origins of the pages that may show and send it, at most 20. Without any, every page may send it, and none can show it in a frame.',
    examples: [['https://www.example.com']],
  },
};

/** A form as callers see it (behaviour B12.6). */
export const formRecord = z
  .object({
    id: recordId.describe('Id of the form.'),
    projectId: recordId.describe('Id of the project.'),
    name: z.string().meta(words.name),
    enabled: z.boolean().meta(words.enabled),
    version: z
      .int()
      .min(1)
      .meta({
        description: 'What visitors see now: each change of that makes a version, which is kept.',
        examples: [1],
      }),
    url: z.string().meta({
      description: 'Address of its page; with `.js` of its script, with `/embed` for a frame.',
      examples: ['https://mail.example.com/f/0198c1a4-7d1e-7b3a-9c55-2f6d8e4b1a90'],
    }),
    title: storedTexts.describe(words.title),
    text: storedTexts.nullable().describe(words.text),
    consentText: storedTexts.describe(words.consentText),
    button: storedTexts.nullable().describe(words.button),
    fields: z.array(field).describe(words.fields),
    topics: z.array(z.string()).meta(words.topics),
    language: mailLanguage.describe(words.language),
    redirectUrl: z.string().nullable().meta(words.redirectUrl),
    confirmedUrl: z.string().nullable().meta(words.confirmedUrl),
    origins: z.array(z.string()).meta(words.origins),
    guardedUntil: isoDate
      .nullable()
      .describe(
        'Until when submissions need work, because too few of the last ones were confirmed; else null.',
      ),
    createdAt: isoDate.describe('When it was created.'),
    updatedAt: isoDate.describe('When it last changed.'),
  })
  .describe('A sign-up form.')
  .register(typeNames, { name: 'Form' });

export type FormRecord = z.input<typeof formRecord>;

const formId = uuid.describe('Id of the form.');

export const formIdInput = z.object({ id: formId });

export const listFormsInput = z.object(cursorQuery);

export const formList = cursorListOf(formRecord);

const texts = {
  title: givenTexts(requiredText(200), 'FormTitleInput'),
  text: givenTexts(requiredText(1_000), 'FormTextInput'),
  consentText: givenTexts(requiredText(1_000), 'FormConsentInput'),
  button: givenTexts(requiredText(60), 'FormButtonInput'),
};

const orNull = <Schema extends z.ZodType>(schema: Schema) =>
  clearable(schema).transform((value) => value ?? null);

export const createFormInput = z.object({
  name: requiredName(100).meta(words.name),
  enabled: notGiven(z.boolean())
    .transform((enabled) => enabled ?? false)
    .meta({
      ...words.enabled,
      description: `${words.enabled.description} Needs a verified sender in \`consent.confirmation\` of the project. Default false.`,
    }),
  title: texts.title.describe(`${words.title} 1 to 200 characters.`),
  text: orNull(texts.text).describe(`${words.text} At most 1,000 characters.`),
  consentText: texts.consentText.describe(`${words.consentText} 1 to 1,000 characters.`),
  button: orNull(texts.button).describe(`${words.button} At most 60 characters.`),
  fields: notGiven(givenFields)
    .transform((fields) => fields ?? [])
    .describe(words.fields),
  topics: notGiven(givenTopics)
    .transform((topics) => topics ?? ['general'])
    .meta(words.topics),
  language: notGiven(mailLanguage).describe(`${words.language} Default the first of its title.`),
  redirectUrl: orNull(pageUrl).meta(words.redirectUrl),
  confirmedUrl: orNull(pageUrl).meta(words.confirmedUrl),
  origins: notGiven(z.array(origin).max(mostOrigins))
    .transform((origins) => [...new Set(origins ?? [])])
    .meta(words.origins),
});

export const updateFormInput = z.object({
  id: formId,
  name: notGiven(requiredName(100)).meta(words.name),
  enabled: notGiven(z.boolean()).meta(words.enabled),
  title: notGiven(texts.title).describe(words.title),
  text: clearable(texts.text).describe(words.text),
  consentText: notGiven(texts.consentText).describe(words.consentText),
  button: clearable(texts.button).describe(words.button),
  fields: notGiven(givenFields).describe(words.fields),
  topics: notGiven(givenTopics).meta(words.topics),
  language: notGiven(mailLanguage).describe(words.language),
  redirectUrl: clearable(pageUrl).meta(words.redirectUrl),
  confirmedUrl: clearable(pageUrl).meta(words.confirmedUrl),
  origins: notGiven(
    z
      .array(origin)
      .max(mostOrigins)
      .transform((origins) => [...new Set(origins)]),
  ).meta(words.origins),
});

const count = (description: string) =>
  z
    .int()
    .min(0)
    .meta({ description, examples: [12] });

export const formFigures = z
  .object({
    days: z
      .array(
        z
          .object({
            day: z
              .string()
              .meta({ description: 'Day in the zone of the project.', examples: ['2026-03-01'] }),
            submitted: count('Requests that people made by the form.'),
            confirmed: count('Requests that were confirmed on that day.'),
            declined: count('Requests that somebody said were not theirs.'),
            expired: count('Requests that nobody answered within 7 days.'),
            refused: count(
              'Submissions that led to no request: already subscribed, suppressed, declined before, or too many to one address.',
            ),
          })
          .register(typeNames, { name: 'FormDay' }),
      )
      .describe('Days with figures, oldest first.'),
  })
  .register(typeNames, { name: 'FormFigures' });

export const formFiguresInput = z.object({
  id: formId,
  from: notGiven(z.iso.date()).meta({
    description: 'First day, in the zone of the project. Default 29 days before `to`.',
    examples: ['2026-03-01'],
  }),
  to: notGiven(z.iso.date()).meta({ description: 'Last day. Default today.', examples: ['2026-03-30'] }),
});
