import { z } from 'zod';
import {
  clearable,
  isoDate,
  namedEnum,
  notGiven,
  queryBoolean,
  recordId,
  requiredName,
  requiredText,
  typeNames,
  uuid,
} from '../../base/kernel/schemas.ts';
import { MAIL_LANGUAGES, type MailLanguage } from '../../base/lib/mail-languages.ts';
import { generalKey, mostTopics, topicKeyForm } from './topics.rules.ts';

const nameLimit = 60;
const descriptionLimit = 200;
const greatestPosition = 1_000_000;

const languageNames: Record<MailLanguage, string> = {
  en: 'English',
  nl: 'Dutch',
  fr: 'French',
  de: 'German',
  es: 'Spanish',
  it: 'Italian',
  pt: 'Portuguese',
  pl: 'Polish',
  hi: 'Hindi',
  ja: 'Japanese',
  zh: 'Chinese',
};

const inEachLanguage = <Schema extends z.ZodType>(schemaOf: (language: MailLanguage) => Schema) =>
  Object.fromEntries(MAIL_LANGUAGES.map((language) => [language, schemaOf(language)])) as {
    [Language in MailLanguage]: Schema;
  };

const example = { en: 'Product news', de: 'Neues vom Produkt' };

/** A text by language, as it is stored: only the languages that it has. */
export const storedTexts = z
  .object(
    inEachLanguage((language) =>
      z
        .string()
        .optional()
        .meta({ description: `The text in ${languageNames[language]}.`, examples: [example.en] }),
    ),
  )
  .meta({ examples: [example] })
  .register(typeNames, { name: 'Texts' });

/** A text by language of a request: at least one, each of which follows `text`. */
export const givenTexts = (text: z.ZodType<string, string>, name: string) =>
  z
    .object(
      inEachLanguage((language) =>
        notGiven(text).meta({
          description: `The text in ${languageNames[language]}.`,
          examples: [example.en],
        }),
      ),
    )
    .refine((texts) => Object.values(texts).some((given) => given !== undefined), {
      params: { code: 'required' },
      message: 'Give the text in at least one language',
    })
    .transform(
      (texts): Partial<Record<MailLanguage, string>> =>
        Object.fromEntries(Object.entries(texts).filter(([, given]) => given !== undefined)),
    )
    .meta({ examples: [example] })
    .register(typeNames, { name });

export const topicKey = z.string().trim().regex(topicKeyForm, {
  error: 'Must be 1 to 50 of a-z, 0-9, _ and -, beginning with a letter or digit',
  abort: true,
});

export const topicDefault = namedEnum('TopicDefault', ['IN', 'OUT']);
export const topicVisibility = namedEnum('TopicVisibility', ['PUBLIC', 'PRIVATE']);

const keyText = 'The key of the topic, by which everything names it: `a-z`, `0-9`, `_` and `-`.';
const defaultText = '`IN`: every subscribed contact receives it until it says no. `OUT`: only who said yes.';
const visibilityText = '`PUBLIC`: recipients can choose it. `PRIVATE`: it is on no page and no form.';
const positionText = 'Where it is among the topics, on pages and in lists: smaller ones come first.';

/** A topic as callers see it (behaviour B12.2). */
export const topicRecord = z
  .object({
    id: recordId.describe('Id of the topic.'),
    projectId: recordId.describe('Id of the project.'),
    key: z.string().meta({ description: keyText, examples: ['product-news'] }),
    name: storedTexts.describe('What recipients read, by language.'),
    description: storedTexts.nullable().describe('What it is about, by language; null without one.'),
    default: topicDefault.describe(defaultText),
    visibility: topicVisibility.describe(visibilityText),
    position: z.int().meta({ description: positionText, examples: [2] }),
    archived: z.boolean().describe('Whether nothing can name it any more.'),
    subscriberCount: z
      .int()
      .min(0)
      .meta({
        description:
          'How many contacts receive it. In a project with more than 100,000 contacts at most five minutes old.',
        examples: [4982],
      }),
    createdAt: isoDate.describe('When it was created.'),
    updatedAt: isoDate.describe('When it last changed.'),
  })
  .describe('A topic: a kind of email that contacts can choose.')
  .register(typeNames, { name: 'Topic' });

export const topicList = z.array(topicRecord);

const topicId = uuid.describe('Id of the topic.');

export const topicIdInput = z.object({ id: topicId });

export const listTopicsInput = z.object({
  archived: queryBoolean('archived')
    .transform((archived) => archived ?? false)
    .describe('Whether to list the archived topics instead of the others. Default false.'),
});

const nameInput = givenTexts(requiredName(nameLimit), 'TopicNameInput');
const descriptionInput = givenTexts(requiredText(descriptionLimit), 'TopicDescriptionInput');
const position = z.int().min(0).max(greatestPosition);

const nameText = 'What recipients read, by language: 1 to 60 characters in at least one.';
const descriptionText = 'What it is about, by language: at most 200 characters.';

export const createTopicInput = z.object({
  key: topicKey.meta({
    description: `${keyText} 1 to 50 characters, unique in the project; it never changes.`,
    examples: ['product-news'],
  }),
  name: nameInput.describe(nameText),
  description: notGiven(descriptionInput).describe(descriptionText),
  default: topicDefault.describe(`${defaultText} It can be changed to \`OUT\` later, never to \`IN\`.`),
  visibility: notGiven(topicVisibility).describe(`${visibilityText} Default \`PUBLIC\`.`),
  position: notGiven(position).meta({ description: `${positionText} Default the last.`, examples: [2] }),
});

export const updateTopicInput = z.object({
  id: topicId,
  name: notGiven(nameInput).describe(`${nameText} It replaces the name in all languages.`),
  description: clearable(descriptionInput).describe(
    `${descriptionText} It replaces the description in all languages; null clears it.`,
  ),
  default: notGiven(topicDefault).describe(
    `${defaultText} From \`OUT\` to \`IN\` is never possible: it would mail people who did not choose.`,
  ),
  visibility: notGiven(topicVisibility).describe(visibilityText),
  position: notGiven(position).meta({ description: positionText, examples: [2] }),
  archived: notGiven(z.boolean()).describe(
    'Whether nothing can name it any more. Choices of contacts stay. Refused while it is in use.',
  ),
});

/** The topic of a record: the key of one of the project, or null. */
export const storedTopic = z
  .string()
  .nullable()
  .meta({
    description: `Key of the topic; null without one. Email that is not transactional then belongs to \`${generalKey}\`.`,
    examples: ['product-news'],
  });

/** The topic of a request; whether the project has it is for the operation to say. */
export const givenTopic = clearable(z.string().trim().max(100)).meta({
  description: `Key of the topic that it belongs to. Without one, email that is not transactional belongs to \`${generalKey}\`. Not an archived topic.`,
  examples: ['product-news'],
});

/** `mostTopics` in the words of a refusal. */
export const mostTopicsText = `A project has at most ${mostTopics} topics, archived ones included`;
