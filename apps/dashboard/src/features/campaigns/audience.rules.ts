import { type ExcludedBy, exclusionOf, exclusions } from '@postrider/core/mail/eligibility/contract';
import { formatCount, plural } from '../../lib/format.ts';

type NotSubscribed = 'unsubscribed' | 'never' | 'pending' | 'snoozed';

const statuses: Record<NotSubscribed, readonly [one: string, many: string]> = {
  unsubscribed: exclusionOf('unsubscribed').is,
  never: ['never subscribed', 'never subscribed'],
  pending: ['is waiting for confirmation', 'are waiting for confirmation'],
  snoozed: ['has paused', 'have paused'],
};

/** How many contacts would receive a campaign, and the others by the reason that excludes them. */
export interface AudienceParts {
  matched: number;
  willSend: number;
  skipped: { [Reason in ExcludedBy]?: number | undefined };
  /** those who are not subscribed, by what they are instead; absent where that is not known */
  notSubscribed?: { [Status in NotSubscribed]: number } | undefined;
  estimated?: boolean | undefined;
}

export const exclusionInWords = (reason: ExcludedBy, count: number): string => {
  const [one, many] = exclusionOf(reason).is;
  return `${formatCount(count)} ${count === 1 ? one : many}`;
};

const statusesInWords = (counts: Record<NotSubscribed, number>): string[] =>
  Object.entries(statuses).flatMap(([status, [one, many]]) => {
    const count = counts[status as NotSubscribed];
    return count === 0 ? [] : [`${formatCount(count)} ${count === 1 ? one : many}`];
  });

/** The audience in one sentence: “4,753 of 5,002 contacts will get this email; 180 are unsubscribed, 69 are suppressed.” */
export function audienceInWords(audience: AudienceParts): string {
  const { matched, willSend, skipped, notSubscribed, estimated } = audience;
  if (matched === 0)
    return estimated
      ? 'An estimate from a sample, until all contacts are counted.'
      : 'No contacts match this audience.';
  const excluded = exclusions.flatMap((reason) => {
    const count = skipped[reason] ?? 0;
    if (count === 0) return [];
    return reason === 'unsubscribed' && notSubscribed
      ? statusesInWords(notSubscribed)
      : [exclusionInWords(reason, count)];
  });
  const about = estimated ? 'About ' : '';
  if (excluded.length === 0) {
    return matched === 1
      ? 'The one contact of this audience will get this email.'
      : `All ${about.toLowerCase()}${plural(matched, 'contact')} will get this email.`;
  }
  const reached = willSend === 0 ? 'None' : `${about}${formatCount(willSend)}`;
  const sentence = `${reached} of ${plural(matched, 'contact')} will get this email; ${excluded.join(', ')}.`;
  return estimated ? `${sentence} Estimated from a sample, until all contacts are counted.` : sentence;
}
