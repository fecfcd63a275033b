import type { ContactLimits } from '../../people/projects/contact-limits.schema.ts';
import { afterQuietHours } from '../../people/projects/quiet-hours.rules.ts';

const hourMs = 3_600_000;

export interface HeldEmail {
  /** when it goes, in milliseconds since 1970; null: it is skipped */
  at: number | null;
  heldBy: 'cap' | 'quiet_hours' | null;
  /** why it is skipped: it waits for too long, or it is withdrawn before it goes */
  skipped: 'capped' | 'withdrawn' | null;
}

/**
 * What limits make of emails of one contact, each of which goes when it is due, or as soon after it as they allow (behaviour B14.8).
 *
 * @param due in milliseconds since 1970, oldest first
 * @param before when emails before them went, oldest first
 * @param withdrawn of each, at which time it is withdrawn unless it has gone before; null: never
 * @returns one for each, in their order
 */
export function holdByLimits(
  { caps, quietHours, waitHours }: ContactLimits,
  zone: string,
  due: readonly number[],
  before: readonly number[] = [],
  withdrawn: readonly (number | null)[] = [],
): HeldEmail[] {
  const gone = [...before];
  return due.map((at, index): HeldEmail => {
    const until = withdrawn[index] ?? Number.POSITIVE_INFINITY;
    const freeAt = Math.max(
      at,
      ...caps.map(({ max, hours }) => {
        const first = gone[gone.length - max];
        return first === undefined ? at : first + hours * hourMs;
      }),
    );
    const waitsUntil = afterQuietHours(quietHours, zone, at + waitHours * hourMs);
    if (freeAt > waitsUntil)
      return { at: null, heldBy: 'cap', skipped: until <= waitsUntil ? 'withdrawn' : 'capped' };
    const goesAt = afterQuietHours(quietHours, zone, freeAt);
    const heldBy = freeAt > at ? 'cap' : goesAt > at ? 'quiet_hours' : null;
    if (until <= goesAt) return { at: null, heldBy, skipped: 'withdrawn' };
    gone.push(goesAt);
    return { at: goesAt, heldBy, skipped: null };
  });
}
