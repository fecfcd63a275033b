import type { ContactLimits } from '@postrider/core/people/projects/contract';
import { formatCount } from '../../../lib/format.ts';

/** What the fields of the form hold, as it was typed. */
export interface LimitFields {
  caps: readonly { max: string; hours: string }[];
  from: string;
  to: string;
  waitHours: string;
}

const capRows = 3;
const defaultWaitHours = 48;

export function fieldsOf(limits: ContactLimits | null): LimitFields {
  return {
    caps: Array.from({ length: capRows }, (_, index) => {
      const cap = limits?.caps[index];
      return { max: cap ? String(cap.max) : '', hours: cap ? String(cap.hours) : '' };
    }),
    from: limits?.quietHours?.from ?? '',
    to: limits?.quietHours?.to ?? '',
    waitHours: String(limits?.waitHours ?? defaultWaitHours),
  };
}

/** The limits that the fields say; null for none. A row with one number is left to the API to refuse. */
export function limitsOf({ caps, from, to, waitHours }: LimitFields): ContactLimits | null {
  const given = caps.filter(({ max, hours }) => max.trim() !== '' || hours.trim() !== '');
  const quietHours = from === '' && to === '' ? null : { from, to };
  if (given.length === 0 && quietHours === null) return null;
  return {
    caps: given.map(({ max, hours }) => ({ max: Number(max), hours: Number(hours) })),
    quietHours,
    waitHours: waitHours.trim() === '' ? defaultWaitHours : Number(waitHours),
  };
}

/** Whether they can be tried: the form is not in the middle of being filled in. */
export const isComplete = ({ caps, quietHours, waitHours }: ContactLimits): boolean =>
  caps.every(({ max, hours }) => isWithin(max, 1, 100) && isWithin(hours, 1, 720)) &&
  (quietHours === null ||
    (quietHours.from !== '' && quietHours.to !== '' && quietHours.from !== quietHours.to)) &&
  isWithin(waitHours, 0, 168);

const isWithin = (value: number, least: number, most: number): boolean =>
  Number.isInteger(value) && value >= least && value <= most;

const inTime = (hours: number): string => {
  if (hours === 1) return 'an hour';
  if (hours % 24 !== 0) return `${formatCount(hours)} hours`;
  return hours === 24 ? 'a day' : `${formatCount(hours / 24)} days`;
};

/** The limits in one or two sentences. */
export function limitsInWords(limits: ContactLimits | null): string {
  if (!limits) return 'A contact gets every marketing email, at any time of the day.';
  const { caps, quietHours, waitHours } = limits;
  const amounts = caps.map(
    ({ max, hours }, index) =>
      `${formatCount(max)}${index > 0 ? '' : max === 1 ? ' marketing email' : ' marketing emails'} in ${inTime(hours)}`,
  );
  const night = quietHours && `from ${quietHours.from} to ${quietHours.to} in the contact’s own time zone`;
  if (amounts.length === 0)
    return `A contact gets no marketing email ${night}. It waits for the end of that time.`;
  const wait =
    waitHours === 0
      ? 'What comes too soon is skipped.'
      : `What comes too soon waits for up to ${inTime(waitHours)}, and is then skipped.`;
  return `A contact gets at most ${amounts.join(', and ')}${night ? `, and none ${night}` : ''}. ${wait}`;
}
