import { RecentMap, timeZoneOf } from '../../base/lib/index.ts';

/** Names that contacts gave their zones, in any spelling; '' for those that are none. */
const known = new RecentMap<string, string>(5_000);

/** Longer than the name of any zone. */
const longestName = 64;

/** The zone of a contact (behaviour B14.8): the IANA name in its field `timezone`, in any case, else that of its project. */
export function zoneOfContact(named: unknown, ofProject: string): string {
  if (typeof named !== 'string' || named === '' || named.length > longestName) return ofProject;
  let zone = known.get(named);
  if (zone === undefined) {
    zone = timeZoneOf(named) ?? '';
    known.set(named, zone);
  }
  return zone === '' ? ofProject : zone;
}
