import type { ContactLimits } from '../../people/projects/contact-limits.schema.ts';
import { holdByLimits } from './hold-by-limits.rules.ts';

/**
 * What limits would have made of the emails of one contact, each of which goes when it was sent, or as soon after it as they allow.
 *
 * @param times when they were sent, in milliseconds since 1970, oldest first
 */
export function tryLimits(
  limits: ContactLimits,
  zone: string,
  times: readonly number[],
): { held: number; skipped: number } {
  const emails = holdByLimits(limits, zone, times);
  return {
    held: emails.filter(({ at, heldBy }) => at !== null && heldBy !== null).length,
    skipped: emails.filter(({ at }) => at === null).length,
  };
}
