import { z } from 'zod';
import { statusEnum } from '../../audience/consent/consent.schema.ts';
import { isoDate, mailLanguage } from '../../base/kernel/schemas.ts';
import { shownProject } from '../../people/projects/shown-project.schema.ts';

/** The token of a link. An invalid one is handled like a dead link, not as a validation error. */
export const linkToken = z.string().max(16_000).describe('The signed token of the link');

/** The request that opened or clicked. */
export const visit = z.object({
  token: linkToken,
  userAgent: z.string().nullish().describe('Value of its User-Agent header'),
  isPrefetch: z.boolean().optional().describe('Whether its headers say that nobody asked for it'),
  method: z.enum(['GET', 'HEAD']).describe('HEAD records nothing'),
});

/** Length of a snooze: 14 days, or 1, 6 or 12 months (behaviour B3.2). */
export const snoozeDurations = ['2w', '1m', '6m', '1y'] as const;

const shownTopic = z.object({
  key: z.string(),
  name: z.string().describe('In the language of the page'),
  description: z.string().nullable(),
  wanted: z.boolean().describe('Whether the contact receives it, or would if it were subscribed'),
});

const contactPreferences = z.object({
  kind: z.literal('contact'),
  email: z.string(),
  status: statusEnum,
  snoozedUntil: isoDate.nullable(),
  topics: z.array(shownTopic).describe('Those that recipients may choose'),
  emailTopic: z
    .object({ key: z.string(), name: z.string() })
    .nullable()
    .describe('Of the email of the link; null for `general`, and for what recipients do not choose'),
  language: mailLanguage.describe('In which the recipient is addressed'),
  project: shownProject,
  inert: z.boolean().describe('The link of a test email to somebody who is no contact: it changes nothing'),
});

const erasedPreferences = z.object({
  kind: z.literal('erased').describe('The contact was deleted: its address can only leave'),
  language: mailLanguage,
  project: shownProject,
});

const lostPreferences = z.object({
  kind: z
    .literal('lost')
    .describe(
      'The contact was lost by a restore, and its project is not known: an address can leave all of them',
    ),
});

export const preferences = z.discriminatedUnion('kind', [
  contactPreferences,
  erasedPreferences,
  lostPreferences,
]);

export type Preferences = z.input<typeof preferences>;
export type ContactPreferences = z.input<typeof contactPreferences>;

export const accountLink = z.object({ token: linkToken });

/** An account whose address nobody has proven. */
export const claimedAccount = z.object({
  email: z.string(),
  language: mailLanguage,
  disowned: z.boolean().describe('Whether the reader of the mailbox has said that it is not theirs'),
});

/** What a choice has done: `topic_ended` leaves something else; `limited` is a subscription, or an address, too many. */
export const preferencesChanged = z.object({
  found: preferences,
  result: z.enum(['changed', 'topic_ended', 'not_subscribed', 'limited', 'bad_address', 'unchanged']),
});

export const preferencesChange = z
  .object({
    token: linkToken,
    action: z.enum(['save', 'subscribe', 'unsubscribe', 'snooze']),
    duration: z.enum(snoozeDurations).nullish().describe('Needed by snooze'),
    scope: z
      .enum(['topic', 'all'])
      .nullish()
      .describe('Of unsubscribe: the topic of the email, or everything. Default the topic, if it has one'),
    topics: z.array(z.string()).max(100).nullish().describe('Of save: keys of the topics that are wanted'),
    email: z
      .string()
      .nullish()
      .describe('Of unsubscribe by the link of a lost contact: the address that leaves'),
    source: z.enum(['page', 'one_click']).describe('Where the person chose'),
  })
  .superRefine(({ action, duration }, ctx) => {
    if (action !== 'snooze' || duration) return;
    ctx.addIssue({ code: 'custom', path: ['duration'], params: { code: 'required' }, message: 'Required' });
  });

export type PreferencesChange = z.output<typeof preferencesChange>;
