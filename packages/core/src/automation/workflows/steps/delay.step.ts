import { z } from 'zod';
import { bareDayOf } from '../../../base/lib/dates.rules.ts';
import { defineStep } from './step.rules.ts';

export const delayUnits = ['minutes', 'hours', 'days'] as const;

type DelayUnit = (typeof delayUnits)[number];

const millisecondsOf = { minutes: 60_000, hours: 3_600_000, days: 86_400_000 } as const;
const yearInMs = 365 * millisecondsOf.days;

/** The length of a delay in milliseconds. */
export const delayMs = ({ amount, unit }: { amount: number; unit: DelayUnit }): number =>
  amount * millisecondsOf[unit];

/** From Monday on, as ISO 8601 counts them. */
export const weekdays = ['MON', 'TUE', 'WED', 'THU', 'FRI', 'SAT', 'SUN'] as const;

const timeOfDay = z.string().regex(/^(?:[01]\d|2[0-3]):[0-5]\d$/, 'A time of the day such as "09:00"');

const delayWindow = z
  .object({
    days: z
      .array(z.enum(weekdays))
      .min(1, 'At least one day: a window without days never opens')
      .max(7)
      .optional()
      .describe('Days on which the window begins. Default: every day.'),
    from: timeOfDay.meta({ description: 'Its beginning.', examples: ['09:00'] }),
    to: timeOfDay.meta({
      description: 'Its end, which is not part of it; before `from` it is on the next day.',
      examples: ['17:00'],
    }),
  })
  .refine(({ from, to }) => from !== to, { path: ['to'], message: 'Must differ from `from`' });

const dateField = z
  .string()
  .max(200)
  .regex(/^(?:data|context)\..+$/, 'A field such as `data.trialEndsAt` or `context.dueAt`');

const until = z.object({
  field: dateField.meta({
    description:
      'Field of the contact (`data.<key>`) or of the execution (`context.<path>`) with an ISO 8601 date.',
    examples: ['data.trialEndsAt'],
  }),
  offset: z
    .object({
      amount: z.int().describe('Number of units; negative for before the date.'),
      unit: z.enum(delayUnits).describe('Unit of `amount`. Days are days of the calendar.'),
    })
    .refine((offset) => Math.abs(delayMs(offset)) <= yearInMs, {
      path: ['amount'],
      params: { code: 'too_big' },
      message: 'At most 365 days',
    })
    .optional()
    .describe('How long after the date.'),
  at: timeOfDay.optional().meta({ description: 'Time of that day.', examples: ['09:00'] }),
  otherwise: z
    .enum(['CONTINUE', 'EXIT'])
    .default('CONTINUE')
    .describe(
      'What happens without a date there, or if the time has passed or is more than five years ahead.',
    ),
});

const delayConfig = z
  .object({
    amount: z
      .int()
      .positive()
      .optional()
      .meta({ description: 'Number of units, at most 365 days in all.', examples: [3] }),
    unit: z.enum(delayUnits).optional().describe('Unit of `amount`.'),
    until: until.optional().describe('Waits until a date instead of for a time.'),
    windows: z
      .array(delayWindow)
      .min(1, 'At least one window')
      .max(14)
      .optional()
      .describe('Goes on at the first moment that lies in one of these.'),
    except: z
      .array(
        z.string().refine((day) => bareDayOf(day) !== null, {
          params: { code: 'invalid_date' },
          message: 'Not a day',
        }),
      )
      .max(100)
      .optional()
      .meta({ description: 'Days on which no window begins.', examples: [['2026-12-25']] }),
    zone: z
      .literal('PROJECT')
      .optional()
      .describe(
        'Takes days and times from the zone of the workflow or project also for contacts that have one of their own.',
      ),
  })
  .superRefine(({ amount, unit, until, windows, except }, ctx) => {
    const complain = (field: string, code: string, message: string) =>
      ctx.addIssue({ code: 'custom', path: [field], params: { code }, message });
    if (until && (amount !== undefined || unit !== undefined))
      complain('until', 'custom', 'Either a time to wait or a date, not both');
    else if (amount === undefined && (unit !== undefined || !(until || windows)))
      complain('amount', 'required', 'Required');
    else if (amount !== undefined && unit === undefined) complain('unit', 'required', 'Required');
    else if (amount !== undefined && unit !== undefined && delayMs({ amount, unit }) > yearInMs)
      complain('amount', 'too_big', 'At most 365 days');
    if (except && !windows) complain('except', 'custom', 'Needs `windows`: without them every day is open');
  });

export type DelayConfig = z.output<typeof delayConfig>;
export type DelayWindow = z.output<typeof delayWindow>;

/** Waits for a time, until a date, or for the next window of the week; the parts apply in this order. */
export const delayStep = defineStep({
  type: 'DELAY',
  label: 'Delay',
  config: delayConfig,
  example: { amount: 3, unit: 'days' },
  waysOut: { kind: 'one' },
  reads: ({ until }) => (until?.field.startsWith('data.') ? [until.field] : []),
  holdsTemplates: false,
});
