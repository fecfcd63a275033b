import { z } from 'zod';
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

export const preferences = z.object({
  email: z.string(),
  subscribed: z.boolean(),
  snoozedUntil: isoDate.nullable(),
  locale: z.string().nullable().describe('As the contact has it'),
  language: z.string().describe('One of the languages in which recipients are addressed'),
  project: shownProject,
  inert: z.boolean().describe('The link of a test email to somebody who is no contact: it changes nothing'),
});

export const accountLink = z.object({ token: linkToken });

/** An account whose address nobody has proven. */
export const claimedAccount = z.object({
  email: z.string(),
  language: mailLanguage,
  disowned: z.boolean().describe('Whether the reader of the mailbox has said that it is not theirs'),
});

export const preferencesChange = z
  .object({
    token: linkToken,
    action: z.enum(['subscribe', 'unsubscribe', 'snooze']),
    duration: z.enum(snoozeDurations).nullish().describe('Needed by snooze'),
    source: z.enum(['page', 'one_click']).describe('Where the person chose'),
  })
  .superRefine(({ action, duration }, ctx) => {
    if (action !== 'snooze' || duration) return;
    ctx.addIssue({ code: 'custom', path: ['duration'], params: { code: 'required' }, message: 'Required' });
  });
