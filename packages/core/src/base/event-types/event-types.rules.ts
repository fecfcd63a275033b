import { z } from 'zod';
import { disabledReason } from '../kernel/enums.ts';

/**
 * Every type of event that Postrider emits itself (behaviour B6.1), each defined once. What is stored, reserved, shown in the activity feed,
 * reported to webhook endpoints, listed in files of SQL and named in the dashboard is derived from here; a new type is an entry here and
 * its writer.
 */
interface EventType {
  /**
   * `SYSTEM`: stored; starts workflows, ends waits, can be filtered by, and is reported to webhook endpoints.
   * `ACTIVITY`: stored without these effects.
   * `REPORT`: only reported to webhook endpoints.
   * `UPCOMING`: an item of the feed about something that is still to happen.
   * `RESERVED`: never emitted.
   */
  kind: 'SYSTEM' | 'ACTIVITY' | 'REPORT' | 'UPCOMING' | 'RESERVED';
  data: z.ZodObject;
  /** whether webhook endpoints can receive it */
  webhook: boolean;
  /** the item of the activity feed that is made from it */
  feed?: FeedItem;
}

interface FeedItem {
  /** its type there, if that has another name (behaviour B4.12) */
  type?: string;
  /** in words, in the dashboard */
  words: string;
  /** the flag in the data that marks the first such event of an email; later ones are not items of the feed */
  first?: string;
  /** an email may have several such events; only the first is an item of the feed */
  repeats?: true;
}

export const defineEvent = <const Type extends EventType>(type: Type): Type => type;

const text = z.string();
const nullable = text.nullable();
const time = z.iso.datetime();

const emailFacts = z.object({
  emailId: text,
  subject: text,
  from: text,
  fromName: nullable,
  messageId: text,
  templateId: nullable,
  campaignId: nullable,
  sourceType: z.enum(['TRANSACTIONAL', 'CAMPAIGN', 'WORKFLOW']),
  /** what its request said of it; absent where that is nothing */
  tags: z.array(text).optional(),
  metadata: z.record(text, text).optional(),
  /** of webhooks alone: it is read from the email when the webhook is queued */
  to: text.optional(),
  recipientType: z.enum(['TO', 'CC', 'BCC']).optional(),
});
const approvalFacts = z.object({
  campaignId: text,
  campaignName: text,
  /** of the state that was asked for */
  hash: text,
  recipients: z.int(),
  /** address of the user, or name of the key */
  by: text,
});
const unsent = emailFacts.extend({ error: nullable, reason: nullable });
const subscription = z.object({
  reason: text,
  snoozedUntil: time.optional(),
  /** what the subscription rests on, if that was said */
  basis: text.optional(),
  /** the choices that were made with it, by the keys of the topics */
  topics: z.record(text, z.boolean()).optional(),
});
const topicChoice = z.object({ topic: text, reason: text });
const subscriptionRequest = z.object({ requestId: text, topics: z.array(text), formId: nullable });
const membership = z.object({ segmentId: text, segmentName: text });
const execution = z.object({
  workflowId: text,
  workflowName: text,
  executionId: text,
  status: text,
  exitReason: nullable,
});
const domain = z.object({ domainId: text, domain: text, status: text });

/** The order is the one in which types are listed, in the feed and elsewhere. A `*` in a name stands for the slug of a segment. */
export const eventTypes = {
  'email.sent': defineEvent({
    kind: 'SYSTEM',
    data: emailFacts.extend({ sentAt: time }),
    webhook: true,
    feed: { words: 'Email sent' },
  }),
  'email.delivery': defineEvent({
    kind: 'SYSTEM',
    data: emailFacts.extend({ deliveredAt: time }),
    webhook: true,
    feed: { type: 'email.delivered', words: 'Email delivered' },
  }),
  'email.open': defineEvent({
    kind: 'SYSTEM',
    data: emailFacts.extend({ openedAt: time, opens: z.int(), isFirstOpen: z.boolean() }),
    webhook: true,
    feed: { type: 'email.opened', words: 'Email opened', first: 'isFirstOpen' },
  }),
  'email.click': defineEvent({
    kind: 'SYSTEM',
    data: emailFacts.extend({ link: text, clickedAt: time, clicks: z.int(), isFirstClick: z.boolean() }),
    webhook: true,
    feed: { type: 'email.clicked', words: 'Email clicked', first: 'isFirstClick' },
  }),
  'email.bounce': defineEvent({
    kind: 'SYSTEM',
    data: emailFacts.extend({
      bounceType: z.enum(['Permanent', 'Transient', 'Undetermined']),
      bouncedAt: time,
      transientBounce: z.literal(true).optional(),
      bounceClass: nullable,
      diagnosis: nullable,
    }),
    webhook: true,
    feed: { type: 'email.bounced', words: 'Email bounced', repeats: true },
  }),
  'email.complaint': defineEvent({
    kind: 'SYSTEM',
    data: emailFacts.extend({ complainedAt: time }),
    webhook: true,
    feed: { words: 'Spam complaint', repeats: true },
  }),
  'email.failed': defineEvent({
    kind: 'ACTIVITY',
    data: unsent.extend({ failureClass: nullable }),
    webhook: true,
    feed: { words: 'Email failed', repeats: true },
  }),
  'email.skipped': defineEvent({
    kind: 'ACTIVITY',
    data: unsent,
    webhook: true,
    feed: { words: 'Email skipped', repeats: true },
  }),
  'email.received': defineEvent({
    kind: 'RESERVED',
    data: z.object({}),
    webhook: true,
    feed: { words: 'Email received' },
  }),
  'email.uncertain': defineEvent({
    kind: 'REPORT',
    data: emailFacts.extend({ error: nullable }),
    webhook: true,
  }),
  'contact.subscribed': defineEvent({
    kind: 'SYSTEM',
    data: subscription,
    webhook: true,
    feed: { words: 'Contact subscribed' },
  }),
  'contact.unsubscribed': defineEvent({
    kind: 'SYSTEM',
    data: subscription,
    webhook: true,
    feed: { words: 'Contact unsubscribed' },
  }),
  'contact.topic.subscribed': defineEvent({
    kind: 'SYSTEM',
    data: topicChoice,
    webhook: true,
    feed: { words: 'Topic subscribed' },
  }),
  'contact.topic.unsubscribed': defineEvent({
    kind: 'SYSTEM',
    data: topicChoice,
    webhook: true,
    feed: { words: 'Topic unsubscribed' },
  }),
  'contact.subscription.requested': defineEvent({
    kind: 'SYSTEM',
    data: subscriptionRequest,
    webhook: true,
    feed: { words: 'Subscription requested' },
  }),
  'contact.subscription.confirmed': defineEvent({
    kind: 'SYSTEM',
    data: subscriptionRequest,
    webhook: true,
    feed: { words: 'Subscription confirmed' },
  }),
  'contact.subscription.declined': defineEvent({
    kind: 'SYSTEM',
    data: subscriptionRequest,
    webhook: true,
    feed: { words: 'Subscription declined' },
  }),
  'contact.subscription.expired': defineEvent({
    kind: 'SYSTEM',
    data: subscriptionRequest,
    webhook: true,
    feed: { words: 'Subscription request expired' },
  }),
  'segment.*.entry': defineEvent({ kind: 'SYSTEM', data: membership, webhook: true }),
  'segment.*.exit': defineEvent({ kind: 'SYSTEM', data: membership, webhook: true }),
  'campaign.sent': defineEvent({
    kind: 'ACTIVITY',
    data: z.object({
      campaignId: text,
      campaignName: text,
      subject: text,
      totalRecipients: z.int(),
      sentCount: z.int(),
    }),
    webhook: true,
    feed: { words: 'Campaign sent' },
  }),
  'campaign.cancelled': defineEvent({
    kind: 'REPORT',
    data: z.object({
      campaignId: text,
      campaignName: text,
      subject: text,
      reason: nullable,
      totalRecipients: z.int(),
    }),
    webhook: true,
  }),
  'campaign.paused': defineEvent({
    kind: 'ACTIVITY',
    data: z.object({
      campaignId: text,
      campaignName: text,
      /** `pauseReason` of the campaign */
      reason: text,
      totalRecipients: z.int(),
      sentCount: z.int(),
      deliveredCount: z.int(),
      bouncedCount: z.int(),
      complainedCount: z.int(),
      unsubscribedCount: z.int(),
      failedCount: z.int(),
      skippedCount: z.int(),
      uncertainCount: z.int(),
      acceptedCount: z.int(),
      refusedCount: z.int(),
      heldOutCount: z.int(),
    }),
    webhook: true,
    feed: { words: 'Campaign paused' },
  }),
  'campaign.resumed': defineEvent({
    kind: 'ACTIVITY',
    data: z.object({ campaignId: text, campaignName: text }),
    webhook: true,
    feed: { words: 'Campaign resumed' },
  }),
  'campaign.approval_requested': defineEvent({
    kind: 'ACTIVITY',
    data: approvalFacts.extend({ note: nullable }),
    webhook: true,
    feed: { words: 'Approval asked for' },
  }),
  'campaign.approved': defineEvent({
    kind: 'ACTIVITY',
    data: approvalFacts.extend({ note: nullable }),
    webhook: true,
    feed: { words: 'Campaign approved' },
  }),
  'campaign.declined': defineEvent({
    kind: 'ACTIVITY',
    data: approvalFacts.extend({ reason: nullable }),
    webhook: true,
    feed: { words: 'Campaign declined' },
  }),
  'campaign.test_decided': defineEvent({
    kind: 'ACTIVITY',
    data: z.object({
      campaignId: text,
      campaignName: text,
      /** the key of a variant */
      winner: text,
      /** `decidedBy` of the test */
      decidedBy: text,
      proven: z.boolean().nullable(),
      metric: text,
    }),
    webhook: true,
    feed: { words: 'Test of a campaign decided' },
  }),
  'email.scheduled': defineEvent({
    kind: 'UPCOMING',
    data: z.object({ emailId: text, subject: text, to: text }),
    webhook: false,
    feed: { words: 'Scheduled email' },
  }),
  'campaign.scheduled': defineEvent({
    kind: 'UPCOMING',
    data: z.object({ campaignId: text, campaignName: text }),
    webhook: false,
    feed: { words: 'Campaign' },
  }),
  'workflow.started': defineEvent({
    kind: 'ACTIVITY',
    data: execution,
    webhook: false,
    feed: { words: 'Workflow started' },
  }),
  'workflow.completed': defineEvent({
    kind: 'ACTIVITY',
    /** `goalId`: the goal that ended it */
    data: execution.extend({ goalId: nullable }),
    webhook: true,
    feed: { words: 'Workflow ended' },
  }),
  'workflow.published': defineEvent({
    kind: 'ACTIVITY',
    data: z.object({
      workflowId: text,
      workflowName: text,
      version: z.int(),
      note: nullable,
      /** whether executions of older versions go on by it */
      move: z.enum(['NEW', 'ALL']),
      /** who published it, in words */
      by: text,
    }),
    webhook: true,
    feed: { words: 'Workflow published' },
  }),
  'workflow.disabled': defineEvent({
    kind: 'ACTIVITY',
    data: z.object({
      workflowId: text,
      workflowName: text,
      reason: z.literal('errors'),
      /** where executions failed */
      stepKey: nullable,
      failed: z.int(),
      /** executions that came to an end of the step, the failed ones included */
      visits: z.int(),
    }),
    webhook: true,
    feed: { words: 'Workflow disabled' },
  }),
  'execution.failed': defineEvent({
    kind: 'ACTIVITY',
    data: z.object({
      workflowId: text,
      workflowName: text,
      executionId: text,
      stepKey: nullable,
      error: nullable,
      retries: z.int(),
    }),
    webhook: true,
    feed: { words: 'Execution failed' },
  }),
  'workflow.email.scheduled': defineEvent({
    kind: 'UPCOMING',
    data: z.object({
      workflowId: text,
      workflowName: text,
      executionId: text,
      stepName: text,
      subject: nullable,
    }),
    webhook: false,
    feed: { words: 'Workflow email' },
  }),
  'goal.converted': defineEvent({
    kind: 'REPORT',
    data: z.object({
      goalId: text,
      goalName: text,
      conversionId: text,
      value: z.number().nullable(),
      currency: nullable,
      /** to which it is credited */
      emailId: nullable,
      campaignId: nullable,
      workflowId: nullable,
    }),
    webhook: true,
  }),
  'domain.verified': defineEvent({ kind: 'REPORT', data: domain, webhook: true }),
  'domain.lost': defineEvent({ kind: 'REPORT', data: domain, webhook: true }),
  'project.disabled': defineEvent({
    kind: 'REPORT',
    data: z.object({ projectId: text, projectName: text, reason: disabledReason.nullable() }),
    webhook: true,
  }),
} satisfies Record<string, EventType>;

type EventTypes = typeof eventTypes;
export type EventTypeName = keyof EventTypes;
type NamesOfKind<Kind extends EventType['kind']> = {
  [Name in EventTypeName]: EventTypes[Name]['kind'] extends Kind ? Name : never;
}[EventTypeName];

/** Types with a fixed name whose events are stored. */
export type StoredType = Exclude<NamesOfKind<'SYSTEM' | 'ACTIVITY'>, `segment.${string}`>;
export type ReportType = NamesOfKind<'REPORT'>;
export type DataOf<Name extends EventTypeName> = z.output<EventTypes[Name]['data']>;

const entries = Object.entries(eventTypes) as [EventTypeName, EventType][];

/** The names of an event about members of a segment. */
export const segmentEvent = (slug: string, change: 'entry' | 'exit'): string => `segment.${slug}.${change}`;

/** The slug of the segment whose members an event is about; null for any other event. */
export const segmentOfEvent = (name: string): string | null =>
  /^segment\.(.+)\.(?:entry|exit)$/s.exec(name)?.[1] ?? null;

const hasFixedName = (name: string): boolean => !name.includes('*');

/** Customers may not track any name with this prefix: types of email may be added. */
const reservedPrefix = 'email.';
const reservedNames = entries.flatMap(([name, { kind }]) =>
  kind === 'SYSTEM' && !name.startsWith(reservedPrefix) ? name : [],
);
const patternOf = (name: string): string => name.replaceAll('.', '\\.').replaceAll('*', '.*');
const reserved = new RegExp(
  `^(${patternOf(reservedPrefix)}.*|${reservedNames.map(patternOf).join('|')})$`,
  's',
);

/** Names of events that only Postrider emits (behaviour B6.1), case-sensitive. */
export const isReservedEvent = (name: string): boolean => reserved.test(name);

/** Types with fixed names that webhook endpoints can receive (behaviour B11.3). */
export const webhookTypes: readonly EventTypeName[] = entries.flatMap(([name, { webhook }]) =>
  webhook && hasFixedName(name) ? name : [],
);

/** Stored events without effects that webhook endpoints receive: those of kind SYSTEM all do. */
export const reportedActivities: readonly EventTypeName[] = entries.flatMap(([name, { kind, webhook }]) =>
  kind === 'ACTIVITY' && webhook ? name : [],
);

type FeedNameOf<Name, Type> = Type extends { feed: { type: infer Feed extends string } }
  ? Feed
  : Type extends { feed: object }
    ? Name
    : never;
/** The type of the items that show custom events, and events about members of segments. */
const triggered = 'event.triggered';
export type FeedType =
  | typeof triggered
  | { [Name in EventTypeName]: FeedNameOf<Name, EventTypes[Name]> }[EventTypeName];

interface FeedEntry extends FeedItem {
  type: FeedType;
  /** of the events that it is made from */
  name: EventTypeName;
  kind: EventType['kind'];
}

const feedEntries: readonly FeedEntry[] = entries.flatMap(([name, { kind, feed }]) =>
  feed ? { ...feed, name, kind, type: (feed.type ?? name) as FeedType } : [],
);

/** The types of items of the activity feed (behaviour B4.12), in the order in which they are listed. */
export const feedTypes: readonly [FeedType, ...FeedType[]] = [
  triggered,
  ...feedEntries.map(({ type }) => type),
];

/** What events of types in the feed are stored as. */
export const storedInFeed: readonly FeedEntry[] = feedEntries.filter(
  ({ kind }) => kind === 'SYSTEM' || kind === 'ACTIVITY',
);

const typeOfStored = new Map(storedInFeed.map(({ kind, name, type }) => [`${kind} ${name}`, type]));

/** The type of the item that a stored event is shown as. */
export const feedTypeOf = ({ kind, name }: { kind: string; name: string }): FeedType =>
  typeOfStored.get(`${kind} ${name}`) ?? triggered;

const ofCustomers: Pick<FeedEntry, 'type' | 'words'> = { type: triggered, words: 'Event' };

/** Types of items about the past, with their words. */
export const pastTypes: readonly Pick<FeedEntry, 'type' | 'words'>[] = [ofCustomers, ...storedInFeed];

/** All types of items, in words. */
export const feedWords: Readonly<Record<string, string>> = Object.fromEntries(
  [ofCustomers, ...feedEntries].map(({ type, words }) => [type, words]),
);
