import { type ExcludedBy, exclusionOf, exclusions } from '@postrider/core/mail/eligibility/contract';
import { formatCount, plural } from '../../lib/format.ts';

/** How many contacts would receive a campaign, and the others by the reason that excludes them. */
export interface AudienceParts {
  matched: number;
  willSend: number;
  skipped: { [Reason in ExcludedBy]?: number | undefined };
  estimated?: boolean | undefined;
}

export const exclusionInWords = (reason: ExcludedBy, count: number): string => {
  const [one, many] = exclusionOf(reason).is;
  return `${formatCount(count)} ${count === 1 ? one : many}`;
};

/** The audience in one sentence: “4,753 of 5,002 contacts will get this email; 180 are unsubscribed, 69 are suppressed.” */
export function audienceInWords({ matched, willSend, skipped, estimated }: AudienceParts): string {
  if (matched === 0)
    return estimated
      ? 'An estimate from a sample, until all contacts are counted.'
      : 'No contacts match this audience.';
  const excluded = exclusions
    .filter((reason) => (skipped[reason] ?? 0) > 0)
    .map((reason) => exclusionInWords(reason, skipped[reason] ?? 0));
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
