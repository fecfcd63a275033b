import { afterAll, beforeAll, expect, it } from 'vitest';
import { clockOf, timeZoneOf, zonesByName } from '../../base/lib/index.ts';
import { createTestServices, type TestServices } from '../../testing/index.ts';
import { spanOfLocalTime, wavesOfLocalTime } from './local-waves.ts';

let test: TestServices;

beforeAll(async () => {
  test = await createTestServices();
});
afterAll(() => test.close());

/** Half of them change their clocks, by an hour or by half of one, at midnight or at night, before or after the others. */
const zones = [
  ...[
    'Europe/Berlin',
    'Europe/London',
    'Europe/Lisbon',
    'Europe/Athens',
    'Europe/Chisinau',
    'Atlantic/Azores',
  ],
  ...[
    'America/New_York',
    'America/Chicago',
    'America/Denver',
    'America/Los_Angeles',
    'America/Anchorage',
    'America/Adak',
  ],
  ...[
    'America/St_Johns',
    'America/Halifax',
    'America/Havana',
    'America/Santiago',
    'America/Asuncion',
    'America/Sao_Paulo',
  ],
  ...[
    'Australia/Sydney',
    'Australia/Lord_Howe',
    'Australia/Adelaide',
    'Australia/Eucla',
    'Australia/Brisbane',
    'Pacific/Auckland',
  ],
  ...[
    'Pacific/Chatham',
    'Pacific/Norfolk',
    'Pacific/Kiritimati',
    'Pacific/Niue',
    'Pacific/Marquesas',
    'Pacific/Apia',
  ],
  ...['Asia/Jerusalem', 'Asia/Beirut', 'Asia/Kolkata', 'Asia/Kathmandu', 'Asia/Tokyo', 'Africa/Cairo'],
  ...['Africa/Johannesburg', 'Asia/Tehran', 'UTC', 'Etc/GMT+12'],
];

const dayMs = 86_400_000;
const minuteMs = 60_000;

const halfHourMs = 1_800_000;

/** The instants of a year at which the offset of a zone changes. */
function changesIn(zone: string, year: number): number[] {
  const { offsetAt } = clockOf(zone);
  const isChange = (at: number, before: number) => offsetAt(at) !== offsetAt(at - before);
  const days = Array.from({ length: 366 }, (_, day) => Date.UTC(year, 0, 2) + day * dayMs);
  return days
    .filter((day) => isChange(day, dayMs))
    .flatMap((day) => Array.from({ length: 48 }, (_, part) => day - part * halfHourMs))
    .filter((at) => isChange(at, halfHourMs));
}

/** Minutes around both changes, as their clocks show them before and after, and one of an ordinary day. */
function timesOf(zone: string): string[] {
  const { offsetAt } = clockOf(zone);
  const around = changesIn(zone, 2027).flatMap((at) => [
    at + offsetAt(at - dayMs),
    at + offsetAt(at + dayMs),
  ]);
  const steps = [-60, -30, -1, 0, 1, 29, 30, 59, 60];
  const times = around.flatMap((local) => steps.map((minutes) => local + minutes * minuteMs));
  return [...new Set([...times, Date.UTC(2027, 5, 15, 9, 30)])].map((at) =>
    new Date(at).toISOString().slice(0, 16),
  );
}

it('the moments of 40 zones across both changes of their clocks are those at which clocks of PostgreSQL first show the time, or a later one', async () => {
  const asked = zones.flatMap((zone) => timesOf(zone).map((at) => ({ zone, at })));
  expect(zones).toHaveLength(40);
  expect(asked.length).toBeGreaterThan(500);
  const rows = await test.services.database.prisma.$queryRaw<{ zone: string; local: string; at: Date }[]>`
    SELECT z AS "zone", l AS "local", (SELECT min(t) FROM generate_series((l::timestamp AT TIME ZONE 'UTC') - interval '16 hours',
        (l::timestamp AT TIME ZONE 'UTC') + interval '16 hours', interval '1 minute') t WHERE (t AT TIME ZONE z) >= l::timestamp) AS "at"
    FROM unnest(${asked.map(({ zone }) => zone)}::text[], ${asked.map(({ at }) => at)}::text[]) AS a(z, l)`;
  const byTime = Map.groupBy(rows, ({ local }) => local);
  for (const [local, wanted] of byTime) {
    const start = new Date(Date.parse(`${local}:00Z`) - 2 * dayMs);
    const { byZone, dueAt } = await wavesOfLocalTime({ at: local, whenPassed: 'NEXT_DAY' }, start, 'UTC');
    const { first, last } = await spanOfLocalTime({ at: local });
    for (const { zone, at } of wanted) {
      const due = dueAt[(byZone[zone.toLowerCase()] ?? 0) - 1];
      expect({ zone, local, due }).toEqual({ zone, local, due: at });
      expect(at.getTime()).toBeGreaterThanOrEqual(first);
      expect(at.getTime()).toBeLessThanOrEqual(last);
    }
  }
});

it('every name of a zone that PostgreSQL and contacts may have is in the table', async () => {
  const names = await test.services.database.prisma.$queryRaw<
    { name: string }[]
  >`SELECT "name" FROM pg_timezone_names`;
  const known = zonesByName();
  const missing = names.filter(({ name }) => timeZoneOf(name) !== null && !known.has(name.toLowerCase()));
  expect(missing).toEqual([]);
});

it('there are as many waves as moments, each with a number of its own, and every zone is in one', async () => {
  const at = '2027-03-28T02:30';
  const { dueAt, byZone, otherwise } = await wavesOfLocalTime(
    { at, whenPassed: 'NEXT_DAY' },
    new Date(0),
    'Europe/Berlin',
  );
  expect(new Set(dueAt.map((moment) => moment.getTime())).size).toBe(dueAt.length);
  expect(dueAt.toSorted((one, other) => one.getTime() - other.getTime())).toEqual(dueAt);
  expect(dueAt.length).toBeGreaterThan(30);
  expect(dueAt.length).toBeLessThan(60);
  expect(new Set(Object.values(byZone))).toEqual(new Set(dueAt.map((_, index) => index + 1)));
  expect(otherwise).toBe(byZone['europe/berlin']);
});
