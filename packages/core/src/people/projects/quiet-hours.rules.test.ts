import fc from '@postrider/vitest/fast-check.ts';
import { expect, it } from 'vitest';
import { afterQuietHours, quietAt } from './quiet-hours.rules.ts';

const zones = [
  'UTC',
  'Europe/Berlin',
  'Europe/London',
  'America/New_York',
  'America/Los_Angeles',
  'America/St_Johns',
  'America/Sao_Paulo',
  'America/Santiago',
  'America/Havana',
  'Africa/Cairo',
  'Africa/Casablanca',
  'Asia/Kolkata',
  'Asia/Kathmandu',
  'Asia/Beirut',
  'Asia/Gaza',
  'Asia/Tokyo',
  'Asia/Shanghai',
  'Australia/Adelaide',
  'Australia/Lord_Howe',
  'Pacific/Auckland',
  'Pacific/Chatham',
  'Pacific/Apia',
  'Pacific/Kiritimati',
  'Atlantic/Azores',
];

/** By the calendar of the runtime, and not by the code that is tested. */
const clockOf = (zone: string): ((at: number) => string) => {
  const format = new Intl.DateTimeFormat('en-GB', {
    timeZone: zone,
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
  });
  return (at) => format.format(at);
};
const isIn = (clock: string, from: string, to: string): boolean =>
  from < to ? clock >= from && clock < to : clock >= from || clock < to;

const time = fc
  .tuple(fc.nat({ max: 23 }), fc.nat({ max: 59 }))
  .map(([hour, minute]) => `${String(hour).padStart(2, '0')}:${String(minute).padStart(2, '0')}`);
const minuteMs = 60_000;

it('in 24 zones, over all changes of their clocks, the hours last until the first minute that the clocks show outside of them', () => {
  fc.assert(
    fc.property(
      fc.constantFrom(...zones),
      time,
      time,
      // Any instant of 2026 and 2027.
      fc.integer({ min: Date.UTC(2026, 0, 1), max: Date.UTC(2027, 11, 31) }),
      (zone, from, to, at) => {
        fc.pre(from !== to);
        const clock = clockOf(zone);
        const found = quietAt({ from, to }, zone, at);
        expect(found.isQuiet).toBe(isIn(clock(at), from, to));
        let next = (Math.floor(at / minuteMs) + 1) * minuteMs;
        while (isIn(clock(next), from, to) === found.isQuiet) next += minuteMs;
        expect(new Date(found.until).toISOString()).toBe(new Date(next).toISOString());
      },
    ),
    { numRuns: 150 },
  );
});

it('each night with a change of clocks is followed minute by minute', () => {
  const hours = { from: '22:30', to: '02:30' };
  for (const zone of [
    'Europe/Berlin',
    'America/New_York',
    'Australia/Lord_Howe',
    'Pacific/Chatham',
    'Africa/Cairo',
  ]) {
    const clock = clockOf(zone);
    for (const [month, day] of [
      [2, 8],
      [2, 29],
      [3, 5],
      [3, 24],
      [8, 27],
      [9, 4],
      [9, 25],
      [9, 29],
      [10, 1],
    ] as const) {
      const begin = Date.UTC(2026, month, day - 1, 6);
      for (let at = begin; at < begin + 36 * 60 * minuteMs; at += 17 * minuteMs) {
        const end = afterQuietHours(hours, zone, at);
        expect(isIn(clock(end), hours.from, hours.to), `${zone} ${new Date(at).toISOString()}`).toBe(false);
        if (end > at) expect(isIn(clock(end - minuteMs), hours.from, hours.to)).toBe(true);
        else expect(isIn(clock(at), hours.from, hours.to)).toBe(false);
      }
    }
  }
});

it.each([
  // The clocks of Berlin go from 02:00 to 03:00: a time that this day does not have is the next one that exists.
  ['2026-03-28T23:00:00Z', '02:30', '2026-03-29T01:00:00.000Z'],
  // They go from 03:00 back to 02:00: of two, the first.
  ['2026-10-24T22:30:00Z', '02:30', '2026-10-25T00:30:00.000Z'],
  // The second time that they show it, it is quiet again.
  ['2026-10-25T01:10:00Z', '02:30', '2026-10-25T01:30:00.000Z'],
])('from %s the quiet hours until %s end at %s', (at, to, end) => {
  expect(
    new Date(afterQuietHours({ from: '22:00', to }, 'Europe/Berlin', Date.parse(at))).toISOString(),
  ).toBe(end);
});
