import type { Campaign } from '../../lib/api.ts';
import { formatMinute } from '../../lib/format.ts';
import { formatInZone, wallClockOf, zoneInWords } from '../../ui/zoned-time.rules.ts';

/** A time as the reader's clocks show it and, where they show another one, as those of the project do. */
export function scheduledInWords(iso: string, zone: string): string {
  const at = new Date(iso);
  const here = wallClockOf(at, Intl.DateTimeFormat().resolvedOptions().timeZone);
  const there = wallClockOf(at, zone);
  const own = formatMinute(iso);
  if (here.day === there.day && here.time === there.time) return own;
  return `${own} (${formatInZone(at, zone)} in ${zoneInWords(zone)})`;
}

/** A time that is not of one zone: `At Mon, Mar 1, 2027, 9:00 AM by the clocks of each contact`. */
export const localTimeInWords = ({ at }: NonNullable<Campaign['localTime']>): string =>
  `At ${formatInZone(new Date(`${at}:00Z`), 'UTC')} by the clocks of each contact`;
