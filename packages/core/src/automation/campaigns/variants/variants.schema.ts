import { z } from 'zod';
import {
  clearable,
  isoDate,
  namedEnum,
  notGiven,
  replyMailboxes,
  senderMailbox,
  typeNames,
} from '../../../base/kernel/schemas.ts';
import { designInput, storedDesign } from '../../../content/templates/design.schema.ts';
import { contentChange } from '../../../content/templates/email-content.schema.ts';
import {
  mostVariants,
  testDeciders,
  testDecisions,
  testMetrics,
  testStates,
  variantKeys,
} from './variants.rules.ts';

export const variantKey = namedEnum('CampaignVariantKey', variantKeys);
export const testMetric = namedEnum('CampaignTestMetric', testMetrics);
const testDecision = namedEnum('CampaignTestDecision', testDecisions);
const testState = namedEnum('CampaignTestState', testStates);
const testDecider = namedEnum('CampaignTestDecider', testDeciders);

const words = {
  subject: {
    description: 'Its own subject; absent where it has that of the campaign.',
    examples: ['Spring is here'],
  },
  preheader: { description: 'Its own preview text; null for none.', examples: ['Until Sunday'] },
  body: { description: 'Its own HTML.', examples: ['<p>Spring is here.</p>'] },
  from: { description: 'Its own sender, of the domain of the campaign.', examples: ['anna@example.com'] },
  fromName: {
    description: 'Its own display name of the sender; null for that of the project.',
    examples: ['Anna of Example'],
  },
  replyTo: {
    description: 'Its own address for replies; null for the sender.',
    examples: ['anna@example.com'],
  },
};

const givenVariant = z
  .object({
    subject: contentChange.subject.meta(words.subject),
    preheader: contentChange.preheader.meta(words.preheader),
    body: contentChange.body.meta({
      ...words.body,
      description: 'Its own HTML. Its plain text is then made from it.',
    }),
    design: designInput,
    from: notGiven(senderMailbox).meta(words.from),
    fromName: clearable(z.string().trim().max(100)).meta(words.fromName),
    replyTo: clearable(replyMailboxes).meta(words.replyTo),
  })
  .refine((variant) => Object.values(variant).some((value) => value !== undefined), {
    params: { code: 'required' },
    message: 'A variant needs at least one field in which it differs',
  })
  .refine(({ body, design }) => body !== undefined || (design ?? null) === null, {
    params: { code: 'required' },
    message: 'A design needs the body that was made from it',
    path: ['body'],
  })
  .register(typeNames, { name: 'CampaignVariantInput' });

const sampleMeta = {
  description:
    'Percent of the audience that gets the variants, in equal parts; the others get the winner. 1 to 100, default 20.',
  examples: [20],
};
const metricMeta = {
  description:
    'By what the winner is found: emails that were clicked, recipients that reached the goal of the campaign (`GOAL`), their `REVENUE`, or opens. Default `CLICKS`.',
  examples: ['CLICKS'],
};
const hoursMeta = {
  description:
    'How long the variants are compared, from when their last email has begun. 1 to 336, default 4.',
  examples: [4],
};
const decideMeta = {
  description:
    'Whether the winner goes out by itself, or waits for a person (`MANUAL`). Default `AUTOMATIC`.',
  examples: ['AUTOMATIC'],
};

const orElse = <Value, Schema extends z.ZodType<Value>>(schema: Schema, value: z.output<Schema>) =>
  notGiven(schema).transform((given) => given ?? value);

/** A test in a request that writes a campaign. */
export const givenTest = z
  .object({
    variants: z
      .array(givenVariant)
      .min(1)
      .max(mostVariants)
      .describe('What is compared with the content of the campaign, which is A: B to H, in their order.'),
    sample: orElse(z.int().min(1).max(100), 20).meta(sampleMeta),
    metric: orElse(testMetric, 'CLICKS').meta(metricMeta),
    hours: orElse(z.int().min(1).max(336), 4).meta(hoursMeta),
    decide: orElse(testDecision, 'AUTOMATIC').meta(decideMeta),
  })
  .register(typeNames, { name: 'CampaignTestInput' });

export type GivenTest = z.output<typeof givenTest>;

const storedVariant = z
  .object({
    subject: z.string().optional().meta(words.subject),
    preheader: z.string().nullable().optional().meta(words.preheader),
    body: z.string().optional().meta(words.body),
    design: storedDesign,
    from: z.string().optional().meta(words.from),
    fromName: z.string().nullable().optional().meta(words.fromName),
    replyTo: z.string().nullable().optional().meta(words.replyTo),
  })
  .register(typeNames, { name: 'CampaignVariant' });

const nullableDate = isoDate.nullable();

/** How far a test is, beside what it compares. */
export const testProgress = {
  state: testState.nullable().meta({
    description:
      '`RUNNING` once the audience is frozen; `UNDECIDED` when it has ended and a person has to decide; `DECIDED`. Null before the campaign is sent.',
    examples: [null],
  }),
  startedAt: nullableDate.describe(
    'When the last email of the sample has begun, from which its hours count.',
  ),
  endsAt: nullableDate.describe('When it ends.'),
  decidedAt: nullableDate.describe('When it was decided.'),
  winner: variantKey.nullable().meta({ description: 'The variant that the rest gets.', examples: [null] }),
  decidedBy: testDecider.nullable().meta({
    description: 'What decided: `EVIDENCE` before its end, its `END`, or a `USER`. Null until it is decided.',
    examples: [null],
  }),
  proven: z
    .boolean()
    .nullable()
    .meta({
      description:
        'Whether the winner was shown to differ from every other variant. Null until it is decided, and when a user decided.',
      examples: [null],
    }),
  mismatch: z.boolean().meta({
    description:
      'Whether the variants arrived in parts too unequal for chance, so that something else than their content may be compared. Such a test decides nothing by itself.',
    examples: [false],
  }),
};

export const campaignTest = z
  .object({
    variants: z.array(storedVariant).describe('What is compared with the content of the campaign: B to H.'),
    sample: z.int().meta(sampleMeta),
    metric: testMetric.meta(metricMeta),
    hours: z.int().meta(hoursMeta),
    decide: testDecision.meta(decideMeta),
    ...testProgress,
  })
  .register(typeNames, { name: 'CampaignTest' });

export const testText =
  'Variants of the content that are compared before the others of the audience get one of them. Null without a test.';
