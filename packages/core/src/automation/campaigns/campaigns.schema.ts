import { z } from 'zod';
import { filterTree, storedFilterTree } from '../../audience/segments/filters.schema.ts';
import { givenTopic, storedTopic } from '../../audience/topics/topics.schema.ts';
import {
  deliveryReported,
  figureCount,
  figureRate,
  goalFigures,
} from '../../base/figures/email-figures.schema.ts';
import {
  accepting,
  addressText,
  approvalStatus,
  campaignStatus,
  clearable,
  cursorListOf,
  cursorQuery,
  directionQuery,
  emailAddress,
  filterEnum,
  isoDate,
  longestMailbox,
  mailboxFields,
  namedEnum,
  normalizeSender,
  notGiven,
  pageListOf,
  pageQuery,
  queryBoolean,
  readMailbox,
  recordId,
  requiredEnum,
  requiredName,
  sortColumn,
  sortEnum,
  sortText,
  typeNames,
  uuid,
  waitsForField,
  withFieldsOf,
} from '../../base/kernel/schemas.ts';
import { designInput, storedDesign } from '../../content/templates/design.schema.ts';
import { emailContent, namingContent, newContent } from '../../content/templates/email-content.schema.ts';
import {
  type ExcludedBy,
  exclusionOf,
  exclusions,
  type skipReasons,
} from '../../mail/eligibility/skip-reasons.rules.ts';
import { emailDiagnosis } from '../../mail/sending/sending.schema.ts';
import { auditActor } from '../../people/audit/audit.schema.ts';
import { preflightFinding, preflightRule } from '../preflight/preflight.schema.ts';
import { pauseReasons } from './campaigns.rules.ts';
import { clockTimeOf, whenPassedChoices } from './local-time.rules.ts';
import { sequelKind } from './sequels.rules.ts';
import { testStats, variantFigures } from './variants/test-stats.schema.ts';
import { campaignTest, givenTest, testText, variantKey } from './variants/variants.schema.ts';

export { variantFigures };

const whenPassed = namedEnum('CampaignWhenPassed', whenPassedChoices);

export const audienceType = namedEnum('AudienceType', ['ALL', 'SEGMENT', 'FILTERED']);

const pauseReason = namedEnum('CampaignPauseReason', pauseReasons);

const nullableDate = isoDate.nullable();

/** Counters of a campaign (B2.3): one email counts at most once in each. */
export const campaignCounters = {
  sentCount: figureCount('sent', 100),
  acceptedCount: figureCount('accepted', 99),
  refusedCount: figureCount('refused', 0),
  deliveredCount: figureCount('delivered', 98),
  openedCount: figureCount('opened', 60),
  clickedCount: figureCount('clicked', 20),
  bouncedCount: figureCount('bounced', 1),
  complainedCount: figureCount('complained', 0),
  unsubscribedCount: figureCount('unsubscribed', 1),
  failedCount: figureCount('failed', 1),
  skippedCount: figureCount('skipped', 2),
  heldOutCount: figureCount('heldOut', 0),
  uncertainCount: figureCount('uncertain', 0),
  deliveryReported,
};

/** What its emails have led to (B13.10). */
const goalCounters = { convertedCount: goalFigures.converted, convertedValue: goalFigures.value };

const exemptMeta = {
  description: 'Whether its email is outside of the limits per contact of the project.',
  examples: [false],
};

const perHour = z.int().min(1).max(1_000_000);
const paceFields = {
  perHour: {
    description: 'Emails that begin in an hour. 1 to 1,000,000; null for the sending rate of the project.',
    examples: [600],
  },
  careful: {
    description:
      'Whether it goes out in waves. 200 emails, then 10 % (at least 1,000), then the others, each 15 minutes after the one before has begun.',
    examples: [false],
  },
};

const pace = z
  .object({
    perHour: perHour.nullable().meta(paceFields.perHour),
    careful: z.boolean().meta(paceFields.careful),
  })
  .register(typeNames, { name: 'CampaignPace' });

const givenPace = z
  .object({
    perHour: clearable(perHour).meta(paceFields.perHour),
    careful: notGiven(z.boolean())
      .transform((careful) => careful ?? false)
      .meta(paceFields.careful),
  })
  .register(typeNames, { name: 'CampaignPaceInput' });

const paceText =
  'How fast it is sent. Null for the sending rate of the project. Second attempts are not counted.';

const utmFields = {
  enabled: {
    description: 'Whether its links are tagged, whatever the project says; null for what it says.',
    examples: [true],
  },
  campaign: {
    description: 'Value of `utm_campaign`, 1 to 100 characters; null for its name as a slug.',
    examples: ['spring-offer'],
  },
};

const ownLinkTags = z
  .object({
    enabled: z.boolean().nullable().meta(utmFields.enabled),
    campaign: z.string().nullable().meta(utmFields.campaign),
  })
  .register(typeNames, { name: 'CampaignLinkTags' });

const givenLinkTags = z
  .object({
    enabled: clearable(z.boolean())
      .transform((enabled) => enabled ?? null)
      .meta(utmFields.enabled),
    campaign: clearable(requiredName(100))
      .transform((campaign) => campaign ?? null)
      .meta(utmFields.campaign),
  })
  .register(typeNames, { name: 'CampaignLinkTagsInput' });

/** What says nothing is null. */
const orProjects = (own: z.output<typeof givenLinkTags> | null | undefined) =>
  own == null || (own.enabled === null && own.campaign === null) ? null : own;

const utmText =
  'The tags of its links, where they differ from those of the project. Null for those of the project.';

const holdoutMeta = {
  description:
    'Percent held out, 0 to 50. A draw leaves that part of the audience without the email, so that what it changes can be told; these emails are skipped with the reason `held_out`.',
  examples: [0],
};

const goalText =
  'Goal that its emails are meant to lead to: its recipients who reach it are counted, and those who are held out. Null for none.';

const guardMeta = {
  description:
    'Whether it pauses itself. It does when too many of its emails bounce, are complained about or lead to an opt-out.',
  examples: [true],
};

const localAtMeta = {
  description: 'What the clocks of each contact show when its email is sent: `YYYY-MM-DDTHH:mm`.',
  examples: ['2099-03-01T09:30'],
};

const whenPassedText =
  'What becomes of contacts whose time is over when the campaign starts: `NOW`, they get it at once; `NEXT_DAY`, at the same time of the next day.';

export const campaignLocalTime = z
  .object({
    at: z.string().meta(localAtMeta),
    whenPassed: whenPassed.meta({ description: whenPassedText, examples: ['NEXT_DAY'] }),
  })
  .register(typeNames, { name: 'CampaignLocalTime' })
  .nullable()
  .describe(
    'The local time at which it is sent, in the zone of each contact; null for one that is sent to all at once.',
  );

const campaignWaitsFor = waitsForField(
  'the campaign is SCHEDULED or SENDING and goes on when the workflow engine, which does not answer, is back.',
);

/** What a second person decided of a campaign. */
const campaignApproval = z
  .object({
    id: recordId.describe('Id of the approval.'),
    status: approvalStatus.describe(
      'What became of it: `PENDING`, `APPROVED`, `DECLINED`, or `EXPIRED` by a change.',
    ),
    valid: z.boolean().meta({
      description: 'Whether it is `APPROVED` and nothing that it is about was changed since.',
      examples: [true],
    }),
    changed: z.array(z.string()).meta({
      description:
        'Fields of the campaign that have changed since it was asked for; `segments` for the conditions of its segments. Empty once it was sent.',
      examples: [['subject']],
    }),
    requestedBy: auditActor.describe('Who asked.'),
    decidedBy: auditActor.nullable().describe('Who decided; null before that.'),
    decidedAt: nullableDate.describe('When that was; null before that.'),
  })
  .register(typeNames, { name: 'CampaignApproval' });

export const campaignRecord = z
  .object({
    id: recordId.describe('Id of the campaign.'),
    projectId: recordId.describe('Id of the project.'),
    name: z.string().meta({ description: 'Name of the campaign.', examples: ['Spring offer'] }),
    description: z
      .string()
      .nullable()
      .meta({ description: 'Description for the team.', examples: ['Sent when a parcel leaves'] }),
    ...emailContent.shape,
    design: storedDesign,
    status: campaignStatus.describe('State of the campaign.'),
    statusReason: z
      .string()
      .nullable()
      .meta({
        description:
          'Why the service cancelled it: `domain_unverified`, `project_disabled`, `billing_limit_exceeded`, `daily_limit_exceeded`, `approval_missing`, `start_failed`, `audience_failed`, or `restored` when the installation was restored from a backup and it may have been sent since. While SENDING: `completion_failed` when it cannot be completed; that is tried again every minute',
        examples: [null],
      }),
    audienceType: audienceType.describe('How the audience is chosen.'),
    audienceCondition: storedFilterTree.describe('Filter tree; null unless the audience is `FILTERED`.'),
    segmentId: recordId
      .nullable()
      .describe('Segment whose members receive it; null unless the audience is `SEGMENT`.'),
    templateId: recordId.nullable().describe('Template that the content was copied from.'),
    exemptFromLimits: z.boolean().meta(exemptMeta),
    topic: storedTopic,
    pausedAt: nullableDate.describe(
      'Since when it is paused: it is SENDING, and nothing of it is sent until it is resumed. Null unless it is paused.',
    ),
    pauseReason: pauseReason.nullable().meta({
      description:
        'Why it is paused: `user`, by a request; by its guard `guard_bounces`, `guard_complaints` or `guard_unsubscribes`. Null unless it is paused.',
      examples: [null],
    }),
    guard: z.boolean().meta(guardMeta),
    pace: pace.nullable().describe(paceText),
    holdout: z.int().meta(holdoutMeta),
    utm: ownLinkTags.nullable().describe(utmText),
    goalId: recordId.nullable().describe(goalText),
    approval: campaignApproval
      .nullable()
      .describe('Its latest approval by a second person; null where none was asked for.'),
    test: campaignTest.nullable().describe(testText),
    familyId: recordId.describe('Id of the first campaign of its family; its own id unless it is a sequel.'),
    round: z
      .int()
      .min(1)
      .meta({ description: 'Round in its family: a contact gets at most one email of each.', examples: [1] }),
    scheduledFor: nullableDate.describe(
      'When sending starts or started; null for one that was not scheduled.',
    ),
    localTime: campaignLocalTime,
    waitsFor: campaignWaitsFor,
    totalRecipients: z
      .int()
      .min(0)
      .meta({
        description: 'Number of emails: an estimate until sending starts, then exact.',
        examples: [103],
      }),
    ...campaignCounters,
    ...goalCounters,
    sentAt: nullableDate.describe('When sending started.'),
    createdAt: isoDate.describe('When the campaign was created.'),
    updatedAt: isoDate.describe('When the campaign last changed.'),
  })
  .describe('A campaign.')
  .register(typeNames, { name: 'Campaign' });

export const campaignNameLimit = 200;

const campaignFields = {
  name: requiredName(campaignNameLimit).meta({
    description: 'Name of the campaign, 1 to 200 characters.',
    examples: ['Spring offer'],
  }),
  description: clearable(z.string().trim().max(500)).meta({
    description: 'Description for the team, at most 500 characters.',
    examples: ['Sent when a parcel leaves'],
  }),
  ...newContent,
  design: designInput,
  audienceType: requiredEnum(audienceType).describe(
    '`ALL` contacts, the members of a `SEGMENT`, or those that a condition matches (`FILTERED`).',
  ),
  segmentId: notGiven(uuid).describe('Id of the segment. Required by `SEGMENT`.'),
  audienceCondition: notGiven(filterTree).describe('Filter tree. Required by `FILTERED`.'),
  templateId: clearable(uuid).describe(
    'Template that the content was copied from. Later changes of it do not matter.',
  ),
  exemptFromLimits: notGiven(z.boolean())
    .transform((exempt) => exempt ?? false)
    .meta(exemptMeta),
  guard: notGiven(z.boolean())
    .transform((guard) => guard ?? true)
    .meta(guardMeta),
  pace: clearable(givenPace).describe(paceText),
  holdout: notGiven(z.int().min(0).max(50))
    .transform((percent) => percent ?? 0)
    .meta(holdoutMeta),
  utm: clearable(givenLinkTags).transform(orProjects).describe(utmText),
  goalId: clearable(uuid).describe(goalText),
  test: clearable(givenTest).describe(testText),
  topic: givenTopic,
};

/** Requires what the audience type needs; reported together with the other errors of a request. */
const requireAudience = [
  { audienceType: 'SEGMENT', field: 'segmentId' },
  { audienceType: 'FILTERED', field: 'audienceCondition' },
].map(({ audienceType, field }) =>
  z.refine<Record<string, unknown>>(
    (input) => input['audienceType'] !== audienceType || (input[field] ?? null) !== null,
    {
      params: { code: 'required' },
      message: 'Required',
      path: [field],
      when: ({ value }) => isRecord(value),
    },
  ),
);

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null;

/** Fields that an audience type does not need are stored as null (behaviour B4.7), so they are not checked. */
const unneeded = new Map([
  ['ALL', ['segmentId', 'audienceCondition']],
  ['SEGMENT', ['audienceCondition']],
  ['FILTERED', ['segmentId']],
]);

const ignoringUnneeded = <Schema extends z.ZodType>(schema: Schema) =>
  z.preprocess((input: z.input<Schema>) => {
    if (!isRecord(input)) return input;
    const ignored = unneeded.get(String(input['audienceType'])) ?? [];
    return Object.fromEntries(Object.entries(input).filter(([field]) => !ignored.includes(field)));
  }, schema);

/** The schemas of a campaign's fields, one per audience type. */
const audienceForms = (fields: Record<string, z.ZodType>) => {
  const {
    segmentId: _segmentId,
    audienceCondition: _condition,
    ...common
  } = { ...campaignFields, ...fields };
  return z.xor([
    z
      .object({ ...common, audienceType: z.literal('ALL').describe('All contacts.') })
      .meta({ title: 'To all contacts' }),
    z
      .object({
        ...common,
        audienceType: z.literal('SEGMENT').describe('The members of a segment.'),
        segmentId: uuid.describe('Id of the segment.'),
      })
      .meta({ title: 'To a segment' }),
    z
      .object({
        ...common,
        audienceType: z.literal('FILTERED').describe('The contacts that a condition matches.'),
        audienceCondition: filterTree.describe('Which contacts.'),
      })
      .meta({ title: 'To a filtered audience' }),
  ]);
};

const campaignId = uuid.describe('Id of the campaign.');

export const createCampaignInput = accepting(
  ignoringUnneeded(namingContent(z.object(campaignFields).check(...requireAudience))),
  audienceForms({}),
);

const replacementFields = {
  id: campaignId,
  ifUpdatedAt: notGiven(z.iso.datetime()).meta({
    description:
      'The `updatedAt` of the version to replace: 409 when the campaign was changed after it. Without it any version is replaced.',
    examples: ['2026-03-01T09:30:00.000Z'],
  }),
};

/** A full replacement: omitted fields are cleared or take their default. */
export const updateCampaignInput = accepting(
  ignoringUnneeded(
    namingContent(z.object({ ...replacementFields, ...campaignFields }).check(...requireAudience)),
  ),
  audienceForms(replacementFields),
);

/** The address of a sender that may still be unfinished. */
const senderIn = (text: string): string => {
  const mailbox = readMailbox(text, normalizeSender);
  return typeof mailbox === 'string' ? text : mailbox.email;
};

const addressGiven = (from: unknown): unknown => (isRecord(from) ? from['email'] : from);

/** What decides who receives a campaign; its other fields need not be known. */
export const previewAudienceInput = ignoringUnneeded(
  z
    .object({
      audienceType: campaignFields.audienceType,
      segmentId: campaignFields.segmentId,
      audienceCondition: campaignFields.audienceCondition,
      type: newContent.type,
      topic: givenTopic,
      from: withFieldsOf(
        mailboxFields,
        z.preprocess(addressGiven, z.string().max(longestMailbox).default('').transform(senderIn)),
      ).meta({
        description: 'Sender of the campaign. The sandbox sender reaches members of the project only.',
        examples: ['news@mail.example.com'],
      }),
      campaignId: notGiven(uuid).describe(
        'Id of the campaign that is being changed: contacts who have an email of another campaign of its family and round are counted as `duplicate`.',
      ),
      estimate: z
        .boolean()
        .default(false)
        .meta({
          description:
            'Above 100,000 contacts, do not wait for the contacts to be counted, which can take seconds: the reply is a count of the last 30 seconds, or an estimate from a sample, and the contacts are then counted in the background.',
          examples: [true],
        }),
    })
    .check(...requireAudience),
);

export type CampaignInput = z.output<typeof createCampaignInput>;

export const campaignIdInput = z.object({ id: campaignId });

export const requestApprovalInput = z.object({
  id: campaignId,
  note: notGiven(z.string().trim().max(500)).meta({
    description: 'For those who decide; at most 500 characters.',
    examples: ['For the spring sale'],
  }),
});

export const resumeCampaignInput = z.object({
  id: campaignId,
  guard: notGiven(z.boolean()).meta({
    description: 'Whether it is to be paused by itself again; unchanged without it.',
    examples: [false],
  }),
});

export const createSequelInput = z.object({
  id: campaignId.describe('Id of the campaign that it follows.'),
  kind: requiredEnum(sequelKind).describe(
    'For whom it is: `REST`, whose email was not sent because the campaign was cancelled; `NEW`, the audience of the campaign as it is when the sequel starts, without those who have its email; `NOT_OPENED`, `NOT_CLICKED`, `CLICKED`, those who got it, by what they did.',
  ),
  name: notGiven(campaignFields.name).meta({
    description: 'Name of the sequel, 1 to 200 characters. By default that of the campaign with a number.',
    examples: ['Spring offer (2)'],
  }),
});

export const listCampaignsInput = z.object({
  ...pageQuery,
  status: filterEnum('status', campaignStatus).describe('Only campaigns in this state.'),
  paused: queryBoolean('paused').describe('Only paused campaigns, or only others.'),
  familyId: notGiven(uuid).describe('Only campaigns of this family.'),
  search: notGiven(z.string().max(500)).meta({
    description: 'Part of the name, subject or sender address, in any case. At most 500 characters.',
    examples: ['spring'],
  }),
  sort: sortEnum(sortColumn, 'createdAt').describe(sortText),
  dir: directionQuery,
});

export const campaignPage = pageListOf(campaignRecord);

/** `scheduledFor` is not parsed here: an invalid date is 400 and not 422 (behaviour B4.7). */
const startTime = accepting(
  z.union([z.string(), z.number()]).nullish().or(z.unknown()),
  z.union([z.iso.datetime(), z.iso.date(), z.int()]).nullish(),
);

const givenLocalTime = z
  .string()
  .trim()
  .refine((text) => clockTimeOf(text) !== null, {
    params: { code: 'invalid_date' },
    message: 'Not a time as clocks show it: give YYYY-MM-DDTHH:mm, without a zone',
  });

export const sendCampaignInput = z.object({
  id: campaignId,
  scheduledFor: startTime.meta({
    description:
      'When to start, in the future: ISO 8601, or epoch milliseconds. Without it sending starts at once.',
    examples: ['2099-03-01T09:30:00.000Z'],
  }),
  scheduledAt: startTime.meta({
    description: 'The same as `scheduledFor`, by the name that single emails have for it.',
    examples: [null],
  }),
  localTime: notGiven(givenLocalTime).meta({
    description:
      'In place of `scheduledFor`: each contact gets it when its own clocks show this, `YYYY-MM-DDTHH:mm`. The zone of a contact is its field `timezone`, else that of the project. It starts when the time comes in the first zone of the world. Not with a `pace`.',
    examples: [null],
  }),
  whenPassed: notGiven(whenPassed).meta({
    description: `${whenPassedText} Only with \`localTime\`. Default \`NEXT_DAY\`.`,
    examples: [null],
  }),
  acknowledge: notGiven(z.array(preflightRule).max(100)).meta({
    description:
      'Rules whose errors are accepted, as `POST /campaigns/{id}/preflight` names them. In a project with the gate `STRICT`, any other error refuses the send; what `blocks` is refused in any case. Not for keys of the scope `agent`.',
    examples: [['postal_address_missing']],
  }),
});

export const sendCampaignOutput = z
  .object({
    id: recordId.describe('Id of the campaign.'),
    name: z.string().meta({ description: 'Name of the campaign.', examples: ['Spring offer'] }),
    status: campaignStatus.meta({ description: 'State of the campaign.', examples: ['SCHEDULED'] }),
    scheduledFor: nullableDate.describe('When sending starts; null for at once.'),
    localTime: campaignLocalTime,
    waitsFor: campaignWaitsFor,
  })
  .register(typeNames, { name: 'SentCampaign' });

const byBasis = (what: string, example: number) =>
  z
    .int()
    .min(0)
    .meta({ description: `Those whose subscription rests on ${what}.`, examples: [example] });

/** What the checks before sending have found. */
export const campaignPreflight = z
  .object({
    hash: z.string().meta({
      description:
        'Names the state that was checked: another one once the content, the sender, the audience or the condition of a segment behind it has changed. SHA-256 in hexadecimal.',
      examples: ['9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08'],
    }),
    ok: z.boolean().meta({
      description: 'Whether no finding is an error.',
      examples: [false],
    }),
    recipients: z
      .int()
      .min(0)
      .meta({ description: 'Contacts that would be sent an email now.', examples: [103] }),
    duplicates: z
      .int()
      .min(0)
      .optional()
      .meta({
        description:
          'Contacts that would be skipped, because they have an email of another campaign of the same family and round; absent where no such campaign was sent.',
        examples: [500],
      }),
    estimated: z
      .boolean()
      .optional()
      .meta({
        description: 'True if `recipients` and `recipientsByBasis` are from a sample, absent otherwise.',
        examples: [true],
      }),
    recipientsByBasis: z
      .object({
        confirmed: byBasis('double opt-in, or evidence of one', 60),
        given: byBasis('a consent that was stated', 30),
        customer: byBasis('an existing customer relation', 8),
        default: byBasis('a default: no one stated that they agreed', 4),
        unknown: byBasis('a subscription from before there was a log', 1),
      })
      .register(typeNames, { name: 'RecipientsByBasis' })
      .describe(
        'Recipients that are subscribed, by what that rests on. From a sample where `estimated` says so.',
      ),
    findings: z
      .array(preflightFinding)
      .describe('What was found: first what blocks, then errors, then warnings.'),
  })
  .register(typeNames, { name: 'CampaignPreflight' });

const campaignWave = z
  .object({
    wave: z
      .int()
      .min(1)
      .meta({ description: 'Its number.', examples: [1] }),
    kind: namedEnum('CampaignWaveKind', ['local', 'careful']).meta({
      description:
        '`local`: the contacts whose clocks show the local time of the campaign at one moment. `careful`: a part of one that is sent carefully.',
      examples: ['local'],
    }),
    dueAt: nullableDate.describe('When its emails are due; null for one that is released by something else.'),
    releasedAt: nullableDate.describe('Since when its emails may be sent; null as long as they may not.'),
    recipients: z
      .int()
      .min(0)
      .meta({
        description: 'Emails of it, without those that were skipped from the beginning.',
        examples: [103],
      }),
    done: z
      .int()
      .min(0)
      .meta({
        description: 'Those of them that do not wait for their first attempt any more.',
        examples: [40],
      }),
  })
  .register(typeNames, { name: 'CampaignWave' });

export const campaignStats = z
  .object({
    totalRecipients: z
      .int()
      .min(0)
      .meta({ description: 'Number of emails.', examples: [103] }),
    audienceComplete: z
      .boolean()
      .describe(
        'Whether all contacts of its audience have been written down; false for one that was cancelled before.',
      ),
    ...campaignCounters,
    ...goalCounters,
    pendingCount: figureCount('pending', 0),
    held: z
      .object({
        cap: z
          .int()
          .min(0)
          .meta({ description: 'Emails that wait for their turn within the caps.', examples: [0] }),
        quietHours: z
          .int()
          .min(0)
          .meta({ description: 'Emails that wait for the end of the quiet hours.', examples: [0] }),
      })
      .register(typeNames, { name: 'HeldEmails' })
      .describe('Of the pending ones, those that wait for the limits of their contacts.'),
    waves: z
      .array(campaignWave)
      .describe(
        'The waves in which it is sent, once its audience is frozen; empty for one that is sent to all at once.',
      ),
    skippedReasons: z
      .record(z.string(), z.int())
      .meta({ description: 'Number of skipped emails by reason.', examples: [{ unsubscribed: 2 }] }),
    openRate: figureRate('openRate', 60),
    clickRate: figureRate('clickRate', 20),
    clickToOpenRate: figureRate('clickToOpenRate', 33.33),
    bounceRate: figureRate('bounceRate', 1),
    acceptRate: figureRate('acceptRate', 99),
    deliveryRate: figureRate('deliveryRate', 98),
    complaintRate: figureRate('complaintRate', 0),
    unsubscribeRate: figureRate('unsubscribeRate', 1),
    conversionRate: goalFigures.conversionRate,
    test: testStats
      .nullable()
      .describe('What the variants of its test did; null without a test, and before it is sent.'),
  })
  .register(typeNames, { name: 'CampaignStats' });

export const testCampaignInput = z.object({
  id: campaignId,
  email: emailAddress.describe('Address of a member of the project.'),
  variant: notGiven(variantKey).meta({
    description: 'Which variant of the campaign is sent; its own content by default.',
    examples: ['A'],
  }),
});

export const testCampaignOutput = z
  .object({
    emailId: recordId.describe('Id of the test email.'),
    to: addressText.describe('Address that it goes to.'),
  })
  .register(typeNames, { name: 'TestEmail' });

const count = z.int().min(0);

/** Counts that are there for every campaign, and those that only the sandbox sender or a family has. */
type CountOf<Reason extends ExcludedBy> = (typeof skipReasons)[Reason]['exclusion'] extends
  | { ofSandbox: true }
  | { ofFamily: true }
  ? z.ZodOptional<typeof count>
  : typeof count;

const countsOfExclusions = Object.fromEntries(
  exclusions.map((reason) => {
    const { description, example, ofSandbox, ofFamily } = exclusionOf(reason);
    const shown = ofSandbox || ofFamily ? count.optional() : count;
    return [reason, shown.meta({ description, examples: [example] })];
  }),
) as { [Reason in ExcludedBy]: CountOf<Reason> };

export type ExclusionCounts = z.output<z.ZodObject<typeof countsOfExclusions>>;

export const campaignAudience = z
  .object({
    matched: z
      .int()
      .min(0)
      .meta({ description: 'Contacts of the audience, subscribed or not.', examples: [118] }),
    willSend: z
      .int()
      .min(0)
      .meta({ description: 'Contacts that would receive it.', examples: [103] }),
    included: z
      .int()
      .min(0)
      .nullable()
      .meta({
        description:
          'Contacts that the included part of the condition matches, whatever their status; null where the condition has no such parts, and while they are estimated.',
        examples: [150],
      }),
    excluded: z
      .int()
      .min(0)
      .nullable()
      .meta({
        description: 'Contacts that the excluded part matches, as `included`.',
        examples: [32],
      }),
    skipped: z
      .object(countsOfExclusions)
      .describe('Contacts that would be left out, each by the first reason that holds.'),
    notSubscribed: z
      .object({
        unsubscribed: count.meta({ description: 'Unsubscribed.', examples: [7] }),
        never: count.meta({ description: 'Never subscribed.', examples: [3] }),
        pending: count.meta({
          description: 'Waiting for the confirmation of a subscription.',
          examples: [1],
        }),
        snoozed: count.meta({ description: 'Paused their subscription.', examples: [1] }),
      })
      .register(typeNames, { name: 'NotSubscribedContacts' })
      .describe('Those of `skipped.unsubscribed`, by their status.'),
    estimated: z
      .boolean()
      .optional()
      .meta({ description: 'True of a preview that was estimated, absent otherwise.', examples: [true] }),
  })
  .register(typeNames, { name: 'CampaignAudience' });

export const recipientType = namedEnum('CampaignRecipientType', [
  'sent',
  'delivered',
  'opened',
  'clicked',
  'bounced',
  'complained',
  'failed',
  'skipped',
  'uncertain',
]);

export const listRecipientsInput = z.object({
  id: campaignId,
  ...cursorQuery,
  type: filterEnum('type', recipientType).describe(
    'Only emails that got this far: by time stamp up to `complained`, by state for the others.',
  ),
});

export const recipientRecord = z
  .object({
    emailId: recordId.describe('Id of the email.'),
    contactId: recordId.nullable().describe('Id of the contact; null once it is deleted.'),
    email: z.string().meta({ description: 'Address of the recipient.', examples: ['customer@example.com'] }),
    status: z.string().meta({ description: 'State of the email.', examples: ['OPENED'] }),
    reason: z
      .string()
      .nullable()
      .meta({ description: 'Why it was skipped; null unless it was.', examples: [null] }),
    error: z
      .string()
      .nullable()
      .meta({ description: 'Why it failed; null unless it did.', examples: [null] }),
    diagnosis: emailDiagnosis
      .nullable()
      .describe(
        'What the receiving side said when it refused or returned the email last; null if it did not.',
      ),
    occurredAt: isoDate.describe('When it got into this state.'),
  })
  .register(typeNames, { name: 'CampaignRecipient' });

/** What a list of recipients says of itself. */
export const recipientListFlags = {
  expired: z.boolean().meta({
    description:
      'Whether emails of the campaign were removed for their age, by EMAIL_DAYS: then no recipient is listed, and `total` is what was counted.',
    examples: [false],
  }),
};

export const recipientList = cursorListOf(recipientRecord).extend(recipientListFlags);

export const retryCampaignInput = z.object({
  id: campaignId,
  statuses: z
    .array(namedEnum('RetryCampaignStatus', ['FAILED', 'UNCERTAIN']))
    .min(1)
    .meta({ description: 'Which emails to send again.', examples: [['FAILED']] }),
});

export const retryCampaignOutput = z
  .object({
    requeued: z
      .int()
      .min(0)
      .meta({ description: 'Number of emails that are sent again.', examples: [3] }),
  })
  .register(typeNames, { name: 'RetriedCampaign' });
