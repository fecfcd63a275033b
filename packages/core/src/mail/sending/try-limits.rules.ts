import type { ContactLimits } from '../../people/projects/contact-limits.schema.ts';
import { afterQuietHours } from '../../people/projects/quiet-hours.rules.ts';

const hourMs = 3_600_000;

/**
 * What limits would have made of the emails of one contact, each of which goes when it was sent, or as soon after it as they allow.
 *
 * @param times when they were sent, in milliseconds since 1970, oldest first
 */
export function tryLimits(
  { caps, quietHours, waitHours }: ContactLimits,
  zone: string,
  times: readonly number[],
): { held: number; skipped: number } {
  const gone: number[] = [];
  let held = 0;
  let skipped = 0;
  for (const at of times) {
    const freeAt = Math.max(
      at,
      ...caps.map(({ max, hours }) => {
        const first = gone[gone.length - max];
        return first === undefined ? at : first + hours * hourMs;
      }),
    );
    const goesAt = afterQuietHours(quietHours, zone, freeAt);
    if (freeAt > afterQuietHours(quietHours, zone, at + waitHours * hourMs)) {
      skipped += 1;
      continue;
    }
    gone.push(goesAt);
    if (goesAt > at) held += 1;
  }
  return { held, skipped };
}
