import { z } from 'zod';
import { accepting, isoDate, namedEnum, notGiven } from '../../base/kernel/schemas.ts';
import { readSendTime, sendTimeProblems, twoTimes } from './schedule.rules.ts';

/** Text, numbers and dates are read; every other type is no date either. */
const writtenTime = z.preprocess(
  (value) =>
    typeof value === 'string' || typeof value === 'number' || value instanceof Date || value === undefined
      ? value
      : '',
  z.union([z.string(), z.number(), z.date()]).meta({ type: 'string', format: 'date-time' }),
);

/** When an email is to be sent (behaviour B15.1): an instant, so a date needs a time and a zone. */
export const sendTime = accepting(
  writtenTime.transform((value, ctx): Date => {
    const read = readSendTime(value instanceof Date ? value.getTime() : value, new Date());
    if (read instanceof Date) return read;
    ctx.addIssue({
      code: 'custom',
      params: { code: read },
      message: sendTimeProblems[read],
      input: value,
    });
    return z.NEVER;
  }),
  z.union([z.iso.datetime({ offset: true }), z.int()]).meta({ type: 'string', format: 'date-time' }),
);

/** Two names of one field: clients of other services, and of campaigns, use the second one. */
export const sendTimeFields = (what: string, example: string | null) => ({
  scheduledAt: notGiven(sendTime).meta({
    description: `${what}: ISO 8601 with a time zone, or epoch milliseconds; up to 365 days ahead.`,
    examples: [example],
  }),
  scheduledFor: notGiven(sendTime).meta({
    description: 'The same as `scheduledAt`, by the name that campaigns have for it.',
    examples: [null],
  }),
});

interface SendTimes {
  scheduledAt?: Date | undefined;
  scheduledFor?: Date | undefined;
}

/** Refuses two different times under the two names. */
export function checkSendTimes({ scheduledAt, scheduledFor }: SendTimes, ctx: z.core.$RefinementCtx): void {
  if (!scheduledAt || !scheduledFor || scheduledAt.getTime() === scheduledFor.getTime()) return;
  ctx.issues.push({
    code: 'custom',
    params: { code: 'custom' },
    path: ['scheduledAt'],
    message: twoTimes,
    input: scheduledAt,
  });
}

export const sendTimeOf = ({ scheduledAt, scheduledFor }: SendTimes): Date | undefined =>
  scheduledAt ?? scheduledFor;

const heldBy = namedEnum('EmailHeldBy', [
  'schedule',
  'retry',
  'route',
  'queue',
  'cap',
  'quiet_hours',
  'paused',
  'pace',
  'test',
  'restore',
]);

/** Why an email waits, and until when (behaviour B15.1). */
export const waitFields = {
  scheduledAt: isoDate.nullable().meta({
    description: 'When it is, or was, to be sent; null for an email without such a time.',
    examples: [null],
  }),
  heldBy: heldBy.nullable().meta({
    description:
      'What it waits for: `schedule` its time, or the local time of its campaign, `retry` the next attempt, `route` a mail server that takes no email, `cap` its turn within the caps of its contact, `quiet_hours` the end of those of its contact, `paused` its campaign to be resumed, `pace` its turn by the pace of its campaign, `test` the winner of the test of its campaign, `restore` the operator, who releases email after the installation was restored from a backup, `queue` email of the project before it (told for one email alone, not in lists). Null when nothing holds it.',
    examples: [null],
  }),
  estimatedSendAt: isoDate.nullable().meta({
    description: 'When it is expected to be sent, an estimate; null when that is not known.',
    examples: [null],
  }),
};

export type HeldBy = z.output<typeof heldBy>;
