import type { ContactLimits } from '../../people/projects/contact-limits.schema.ts';
import { afterQuietHours } from '../../people/projects/quiet-hours.rules.ts';

const hourMs = 3_600_000;

export interface HeldEmail {
  /** when it goes, in milliseconds since 1970; null: it waits for too long, and is skipped */
  at: number | null;
  heldBy: 'cap' | 'quiet_hours' | null;
}

/**
 * What limits make of emails of one contact, each of which goes when it is due, or as soon after it as they allow (behaviour B14.8).
 *
 * @param due in milliseconds since 1970, oldest first
 * @param before when emails before them went, oldest first
 * @returns one for each, in their order
 */
export function holdByLimits(
  { caps, quietHours, waitHours }: ContactLimits,
  zone: string,
  due: readonly number[],
  before: readonly number[] = [],
): HeldEmail[] {
  const gone = [...before];
  return due.map((at): HeldEmail => {
    const freeAt = Math.max(
      at,
      ...caps.map(({ max, hours }) => {
        const first = gone[gone.length - max];
        return first === undefined ? at : first + hours * hourMs;
      }),
    );
    if (freeAt > afterQuietHours(quietHours, zone, at + waitHours * hourMs))
      return { at: null, heldBy: 'cap' };
    const goesAt = afterQuietHours(quietHours, zone, freeAt);
    gone.push(goesAt);
    return { at: goesAt, heldBy: freeAt > at ? 'cap' : goesAt > at ? 'quiet_hours' : null };
  });
}
