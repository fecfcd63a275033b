import { z } from 'zod';
import { contactFilter } from '../../audience/contacts/reference.schema.ts';
import { type FeedType, feedTypes } from '../../base/event-types/event-types.rules.ts';
import {
  addressText,
  clampedInt,
  cursorQuery,
  idList,
  isoDate,
  notGiven,
  optionalText,
  periodBound,
  recordId,
  typeNames,
} from '../../base/kernel/schemas.ts';

const known: readonly string[] = feedTypes;

/** `types=a,b`: empty means all; an unknown name is 400. */
const typeList = z
  .string()
  .transform((text) => (text === '' ? undefined : text.split(',').map((name) => name.trim())))
  .refine((names): names is FeedType[] | undefined => !names || names.every((name) => known.includes(name)), {
    params: { as: 'BAD_REQUEST' },
    message: `types must be a list of ${feedTypes.join(', ')}`,
  })
  .meta({ type: 'string', examples: ['email.opened,email.clicked'] });

const period = {
  startDate: notGiven(periodBound).describe(
    'Only what happened at or after this time, or from this day on. Default the last 30 days.',
  ),
  endDate: notGiven(periodBound).describe(
    'Only what happened until this time, or until the end of this day. Default now.',
  ),
};

const feedQuery = {
  limit: clampedInt(50, 1, 100).describe(
    'Number of items, 1 to 100. Default 50; values out of range are clamped.',
  ),
  cursor: cursorQuery.cursor,
  types: notGiven(typeList).describe('Only items of these types, separated by commas. Empty means all.'),
  ...period,
};

const text = optionalText(255).meta({
  description:
    'Only items of contacts whose address or name contains this text, as in the list of contacts (of the first 200 by address), and custom events whose name contains it (20 names, the most frequent). At most 255 characters.',
  examples: ['novak'],
});

export const activityInput = z.object({
  ...feedQuery,
  text,
  contactId: contactFilter('Only items of this contact'),
});

export const timelinesInput = z.object({ ...idList.shape, ...feedQuery });

/** The items that a page of groups is made of. */
const mostGrouped = 1_000;

export const activityGroupsInput = z.object({
  ...feedQuery,
  limit: clampedInt(mostGrouped, 1, mostGrouped).describe(
    'Number of items that a page groups, 1 to 1000. Default 1000; values out of range are clamped.',
  ),
  text,
  contactId: contactFilter('Only items of this contact'),
});

const activityItem = z
  .object({
    id: z.string().meta({
      description: 'Id of the item: that of the event, or of the email with its type.',
      examples: ['0198c1a4-7d1e-7b3a-9c55-2f6d8e4b1a90_sent'],
    }),
    type: z
      .string()
      .meta({ description: 'Type of the item.', examples: ['email.sent'], enum: [...feedTypes] }),
    timestamp: isoDate.describe('When it happened, or will happen.'),
    contactId: recordId.optional().describe('Id of the contact, where it is about one.'),
    contactEmail: addressText.optional().describe('Address of the contact.'),
    metadata: z.record(z.string(), z.unknown()).meta({
      description: 'What happened; its keys depend on the type.',
      examples: [{ emailId: '0198c1a4-7d1e-7b3a-9c55-2f6d8e4b1a90', subject: 'Welcome' }],
    }),
  })
  .register(typeNames, { name: 'ActivityItem' });

export type ActivityItem = z.input<typeof activityItem>;

export const activityFeed = z
  .object({
    data: z.array(activityItem).describe('The items, newest first.'),
    cursor: z
      .string()
      .nullable()
      .meta({
        description: 'Pass it as `cursor` to get the next page; null on the last page.',
        examples: ['WyJ4IiwiMjAyNi0wMy0wMVQwOTozMDowMC4wMDBaIl0'],
      }),
    hasMore: z.boolean().describe('Whether another page follows.'),
  })
  .register(typeNames, { name: 'ActivityFeed' });

export const activityGroups = z
  .object({
    data: z
      .array(
        z
          .object({
            key: z.string().meta({
              description:
                'What its items have in common. The next page may have more of the same group under the same key.',
              examples: ['2026-03-01 email.sent 0198c1a4-7d1e-7b3a-9c55-2f6d8e4b1a90'],
            }),
            type: z
              .string()
              .meta({ description: 'Type of the items.', examples: ['email.sent'], enum: [...feedTypes] }),
            day: z.string().meta({
              description: 'The day of the items, in the time zone of the project.',
              examples: ['2026-03-01'],
            }),
            count: z
              .int()
              .min(1)
              .meta({ description: 'Number of items on this page.', examples: [412] }),
            first: isoDate.describe('When the oldest of them happened.'),
            last: isoDate.describe('When the newest of them happened.'),
            item: activityItem.describe('The newest of them.'),
          })
          .register(typeNames, { name: 'ActivityGroup' }),
      )
      .describe('The groups, by their newest items, newest first.'),
    cursor: z
      .string()
      .nullable()
      .meta({
        description: 'Pass it as `cursor` to get the next page; null on the last page.',
        examples: ['WyJ4IiwiMjAyNi0wMy0wMVQwOTozMDowMC4wMDBaIl0'],
      }),
    hasMore: z.boolean().describe('Whether another page follows.'),
  })
  .register(typeNames, { name: 'ActivityGroups' });

export const activityStatsInput = z.object(period);

const count = (description: string) =>
  z
    .int()
    .min(0)
    .meta({ description, examples: [42] });
const rate = (description: string) =>
  z
    .number()
    .min(0)
    .meta({ description, examples: [58.25] });

export const activityStats = z
  .object({
    totalEvents: count('Custom events, and entries to and exits from segments.'),
    totalEmailsSent: count('Emails sent.'),
    totalEmailsOpened: count('Emails opened.'),
    totalEmailsClicked: count('Emails clicked.'),
    totalWorkflowsStarted: count('Executions of workflows started.'),
    openRate: rate('Emails opened in percent of the emails sent, at most two decimals.'),
    clickRate: rate('Emails clicked in percent of the emails sent, at most two decimals.'),
  })
  .register(typeNames, { name: 'ActivityStats' });

export const recentActivityInput = z.object({
  minutes: clampedInt(5, 1, 1_440).describe(
    'Number of minutes until now, 1 to 1440. Default 5; values out of range are clamped.',
  ),
});

export const recentActivity = z
  .object({ count: count('Number of items.') })
  .register(typeNames, { name: 'RecentActivity' });

export const activityTypeList = z
  .object({
    types: z
      .array(z.string())
      .meta({ description: 'All types of items.', examples: [['event.triggered', 'email.sent']] }),
  })
  .register(typeNames, { name: 'ActivityTypes' });

export const upcomingInput = z.object({
  limit: clampedInt(50, 1, 100).describe(
    'Number of items, 1 to 100. Default 50; values out of range are clamped.',
  ),
  daysAhead: clampedInt(30, 1, 365).describe(
    'Number of days from now, 1 to 365. Default 30; values out of range are clamped.',
  ),
});

export const upcomingActivity = z
  .object({ activities: z.array(activityItem).describe('What is scheduled, soonest first.') })
  .register(typeNames, { name: 'UpcomingActivity' });

/** The timelines of several contacts. */
export const timelines = z.array(z.object({ id: z.string(), timeline: activityFeed }));
