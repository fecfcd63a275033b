import { z } from 'zod';
import { clearable, notGiven, typeNames } from '../../base/kernel/schemas.ts';

/** Limits of what one contact gets (behaviour B14.8). */

export const mostCaps = 3;
export const longestCapHours = 720;

const cap = z
  .object({
    max: z
      .int()
      .min(1)
      .max(100)
      .meta({ description: 'How many emails a contact may get, 1 to 100.', examples: [3] }),
    hours: z
      .int()
      .min(1)
      .max(longestCapHours)
      .meta({
        description: 'In how many hours, 1 to 720; at any time, not by the calendar.',
        examples: [24],
      }),
  })
  .register(typeNames, { name: 'ContactCap' });

const timeOfDay = z.string().regex(/^([01][0-9]|2[0-3]):[0-5][0-9]$/, 'Must be a time such as 22:00');

const quietHours = z
  .object({
    from: timeOfDay.meta({ description: 'When they begin, `HH:mm`.', examples: ['22:00'] }),
    to: timeOfDay.meta({
      description: 'When they end, `HH:mm`; before `from` for hours over midnight.',
      examples: ['08:00'],
    }),
  })
  .refine(({ from, to }) => from !== to, {
    params: { code: 'custom' },
    message: 'Must not end when they begin',
    path: ['to'],
  })
  .register(typeNames, { name: 'QuietHours' });

const words = {
  caps: {
    description: 'How many emails a contact may get in a time; at most 3, all of which hold.',
    examples: [[{ max: 3, hours: 24 }]],
  },
  quietHours: {
    description:
      'Hours in which no email begins, in the zone that `data.timezone` of the contact names, else in that of the project; null for none.',
  },
  waitHours: {
    description:
      'For how many hours an email waits for its turn within the caps, 0 to 168; then it is skipped with the reason `capped`. Default 48.',
    examples: [48],
  },
};

const meaning =
  'How much marketing email a contact gets, and when: of campaigns, workflows and requests together. Transactional and test email are outside of it, and what has `exemptFromLimits`.';

export const contactLimits = z
  .object({
    caps: z.array(cap).meta(words.caps),
    quietHours: quietHours.nullable().meta(words.quietHours),
    waitHours: z.int().meta(words.waitHours),
  })
  .describe(`${meaning} Null without caps and quiet hours.`)
  .register(typeNames, { name: 'ContactLimits' });

export type ContactLimits = z.output<typeof contactLimits>;

const defaultWaitHours = 48;

const givenLimits = z.object({
  caps: notGiven(z.array(cap).max(mostCaps))
    .transform((caps) => caps ?? [])
    .meta(words.caps),
  quietHours: clearable(quietHours)
    .transform((hours) => hours ?? null)
    .meta(words.quietHours),
  waitHours: notGiven(z.int().min(0).max(168))
    .transform((hours) => hours ?? defaultWaitHours)
    .meta(words.waitHours),
});

/** Without caps and quiet hours nothing is limited, which is null. */
const orNone = <Limits extends ContactLimits>(limits: Limits): Limits | null =>
  limits.caps.length === 0 && limits.quietHours === null ? null : limits;

export const contactLimitsChange = clearable(givenLimits)
  .transform((limits) => limits && orNone(limits))
  .meta({ description: `${meaning} Replaces the earlier ones as a whole; null removes them.` });

/** Limits that are tried on what was sent. */
export const triedContactLimits = givenLimits;
