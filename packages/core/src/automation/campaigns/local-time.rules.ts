import { badRequest, invalid } from '../../base/kernel/errors.ts';

/** What becomes of contacts whose time is over when the campaign starts. */
export const whenPassedChoices = ['NOW', 'NEXT_DAY'] as const;

/** The time of the clocks of each contact at which a campaign is sent (behaviour B13.6). */
export interface LocalTime {
  /** `YYYY-MM-DDTHH:mm` */
  at: string;
  whenPassed: (typeof whenPassedChoices)[number];
}

const minuteText = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}$/;

/** What clocks show, as if it were UTC, in milliseconds since 1970; null for text that is no minute of a day that exists. */
export function clockTimeOf(text: string): number | null {
  if (!minuteText.test(text)) return null;
  const at = Date.parse(`${text}:00.000Z`);
  return !Number.isNaN(at) && new Date(at).toISOString().startsWith(text) ? at : null;
}

interface Given {
  localTime?: string | undefined;
  whenPassed?: LocalTime['whenPassed'] | undefined;
  scheduledFor?: unknown;
  scheduledAt?: unknown;
}

/**
 * The local time that a request names; null without one.
 *
 * @throws AppError VALIDATION_ERROR beside another time, and for `whenPassed` alone
 */
export function readLocalTime({
  localTime: at,
  whenPassed,
  scheduledFor,
  scheduledAt,
}: Given): LocalTime | null {
  if (at === undefined) {
    if (whenPassed !== undefined)
      throw invalid([{ field: 'whenPassed', code: 'custom', message: 'Needs localTime' }]);
    return null;
  }
  if ((scheduledFor ?? scheduledAt ?? null) !== null)
    throw invalid([
      { field: 'localTime', code: 'custom', message: 'Give either localTime or scheduledFor, not both' },
    ]);
  return { at, whenPassed: whenPassed ?? 'NEXT_DAY' };
}

/** A campaign as far as it decides how fast it is sent. */
interface Paced {
  perHour: number | null;
  careful: boolean;
}

/**
 * A pace releases emails in the order of the audience, a local time by the zones of the contacts: a campaign has one of them.
 *
 * @param field of the request that asks for the second one
 * @throws AppError VALIDATION_ERROR
 */
export function assertUnpaced({ perHour, careful }: Paced, field: 'localTime' | 'pace'): void {
  if (perHour === null && !careful) return;
  throw invalid([
    { field, code: 'custom', message: 'A campaign with a pace has no local time: clear one of the two' },
  ]);
}

/**
 * A test compares contents that are sent at the same time, and its rest waits for the winner: its campaign has no local time.
 *
 * @param field of the request that asks for the second one
 * @throws AppError VALIDATION_ERROR
 */
export function assertUntested({ test }: { test?: unknown }, field: 'localTime' | 'test'): void {
  if ((test ?? null) === null) return;
  throw invalid([
    { field, code: 'custom', message: 'A campaign with a test has no local time: clear one of the two' },
  ]);
}

/**
 * When a campaign with a local time starts: at its moment in the first zone of the world; null, at once, when that is over.
 *
 * @throws AppError BAD_REQUEST when it is over in all zones
 */
export function startOf({ first, last }: { first: number; last: number }, now: Date): Date | null {
  if (last <= now.getTime())
    throw badRequest('localTime has passed in every time zone', {
      suggestion: 'Give a time in the future, as clocks show it: 2026-03-01T09:30',
    });
  return first > now.getTime() ? new Date(first) : null;
}
