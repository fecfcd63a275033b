import { formatCount, plural } from '../../lib/format.ts';

/** How many contacts would receive a campaign, and the others by the reason that excludes them. */
export interface AudienceParts {
  matched: number;
  willSend: number;
  skipped: { unsubscribed: number; suppressed: number; invalid: number; sandbox?: number | undefined };
  estimated?: boolean | undefined;
}

export const exclusions = ['unsubscribed', 'suppressed', 'invalid', 'sandbox'] as const;
export type Exclusion = (typeof exclusions)[number];

/** What is true of the contacts that a reason excludes: for one, and for several. */
const predicates: Readonly<Record<Exclusion, readonly [one: string, many: string]>> = {
  unsubscribed: ['is unsubscribed', 'are unsubscribed'],
  suppressed: ['is suppressed', 'are suppressed'],
  invalid: ['has an invalid address', 'have an invalid address'],
  sandbox: [
    'is not a member of the project, which the sandbox sender requires',
    'are not members of the project, which the sandbox sender requires',
  ],
};

export const exclusionInWords = (reason: Exclusion, count: number): string =>
  `${formatCount(count)} ${predicates[reason][count === 1 ? 0 : 1]}`;

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
