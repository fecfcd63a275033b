import { describe, expect, it } from 'vitest';
import { clockOf, offsetsOf } from '../../../base/lib/index.ts';
import { type DelayConfig, delayStep, weekdays } from './delay.step.ts';
import { wakeTimeOf } from './wake-time.rules.ts';

const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;
const at = (text: string): number => Date.parse(text);
const iso = (time: number): string => new Date(time).toISOString();
const wake = (config: DelayConfig, now: string, zone = 'UTC', values: Record<string, unknown> = {}) => {
  const { at: time, ...rest } = wakeTimeOf(config, { now: at(now), zone, read: (field) => values[field] });
  return { at: iso(time), ...rest };
};
const until = (more: object = {}): DelayConfig => ({
  until: { field: 'data.ends', otherwise: 'CONTINUE', ...more },
});

describe('a delay', () => {
  it('of an amount is that long, also over a change of clocks', () => {
    const config: DelayConfig = { amount: 1, unit: 'days' };
    expect(wake(config, '2026-03-28T12:00:00Z', 'Europe/Berlin')).toEqual({
      at: '2026-03-29T12:00:00.000Z',
      reason: 'amount',
      exits: false,
    });
  });

  it('until a date ends at its midnight in the zone, or at a time of that day', () => {
    const values = { 'data.ends': '2026-07-10' };
    expect(wake(until(), '2026-07-01T00:00:00Z', 'America/New_York', values).at).toBe(
      '2026-07-10T04:00:00.000Z',
    );
    expect(wake(until({ at: '09:30' }), '2026-07-01T00:00:00Z', 'Asia/Kathmandu', values).at).toBe(
      '2026-07-10T03:45:00.000Z',
    );
  });

  it('until a date and time takes the day of that instant in the zone', () => {
    const values = { 'data.ends': '2026-07-10T23:30:00Z' };
    expect(wake(until({ at: '09:00' }), '2026-07-01T00:00:00Z', 'Europe/Berlin', values).at).toBe(
      '2026-07-11T07:00:00.000Z',
    );
  });

  it('moves a date by days of the calendar: nine o’clock stays nine o’clock', () => {
    const values = { 'data.ends': '2026-03-30T09:00:00+02:00' };
    const config = until({ offset: { amount: -2, unit: 'days' } });
    expect(wake(config, '2026-03-01T00:00:00Z', 'Europe/Berlin', values).at).toBe('2026-03-28T08:00:00.000Z');
  });

  it.each([
    ['no value', undefined],
    ['a text that is no date', 'soon'],
    ['a day that does not exist', '2026-02-30'],
    ['a time that has passed', '2026-06-30T23:59:59Z'],
    ['a date more than five years ahead', '2032-01-01'],
    ['a number', 1_790_000_000_000],
  ])('goes on or ends at once with %s', (_what, value) => {
    const values = { 'data.ends': value };
    const now = '2026-07-01T00:00:00.000Z';
    expect(wake(until(), now, 'UTC', values)).toEqual({ at: now, reason: 'otherwise', exits: false });
    expect(wake(until({ otherwise: 'EXIT' }), now, 'UTC', values)).toMatchObject({ exits: true });
  });

  it('goes on in a window, at once if one is open', () => {
    const config: DelayConfig = {
      windows: [{ days: ['MON', 'TUE', 'WED', 'THU', 'FRI'], from: '09:00', to: '17:00' }],
    };
    expect(wake(config, '2026-07-03T15:00:00Z').at).toBe('2026-07-03T15:00:00.000Z');
    expect(wake(config, '2026-07-03T17:00:00Z')).toEqual({
      at: '2026-07-06T09:00:00.000Z',
      reason: 'window',
      exits: false,
    });
  });

  it('takes a window over midnight as one of the day on which it begins', () => {
    const config: DelayConfig = {
      windows: [{ days: ['FRI'], from: '22:00', to: '02:00' }],
      except: ['2026-07-10'],
    };
    expect(wake(config, '2026-07-04T01:59:00Z').at).toBe('2026-07-04T01:59:00.000Z');
    expect(wake(config, '2026-07-04T02:00:00Z').at).toBe('2026-07-17T22:00:00.000Z');
  });

  it('opens a window in the hour that clocks skip at the next time that exists, and one in the hour they repeat at its first', () => {
    const config: DelayConfig = { windows: [{ from: '02:30', to: '04:00' }] };
    expect(wake(config, '2026-03-28T23:00:00Z', 'Europe/Berlin').at).toBe('2026-03-29T01:00:00.000Z');
    expect(wake(config, '2026-10-24T23:00:00Z', 'Europe/Berlin').at).toBe('2026-10-25T00:30:00.000Z');
  });
});

/** A small generator with a seed, so that a failure can be repeated. */
function randomOf(seed: number): (below: number) => number {
  let state = seed >>> 0;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

const zones = [
  ...[
    'UTC',
    'Europe/Berlin',
    'Europe/London',
    'Europe/Lisbon',
    'Europe/Moscow',
    'Europe/Istanbul',
    'Africa/Cairo',
  ],
  ...[
    'Africa/Casablanca',
    'Africa/Lagos',
    'Asia/Tokyo',
    'Asia/Kolkata',
    'Asia/Kathmandu',
    'Asia/Tehran',
    'Asia/Beirut',
  ],
  ...[
    'Asia/Gaza',
    'Asia/Dhaka',
    'Asia/Yangon',
    'Asia/Shanghai',
    'Asia/Singapore',
    'Australia/Sydney',
    'Australia/Adelaide',
  ],
  ...[
    'Australia/Lord_Howe',
    'Australia/Eucla',
    'Pacific/Auckland',
    'Pacific/Chatham',
    'Pacific/Apia',
    'Pacific/Kiritimati',
  ],
  ...[
    'Pacific/Honolulu',
    'Pacific/Marquesas',
    'America/New_York',
    'America/Chicago',
    'America/Denver',
    'America/Phoenix',
  ],
  ...[
    'America/Los_Angeles',
    'America/Anchorage',
    'America/St_Johns',
    'America/Sao_Paulo',
    'America/Santiago',
    'America/Havana',
  ],
  ...['Atlantic/Azores', 'Antarctica/Troll'],
];

/**
 * Another way to say it: walks forward minute by minute, asks what clocks show, and notes which windows have opened and closed. What has
 * closed stays closed when clocks are set back.
 */
function firstOpenByWalking({ windows = [], except = [] }: DelayConfig, from: number, zone: string): number {
  const offsetAt = offsetsOf(zone);
  const minutesOf = (time: string) => Number(time.slice(0, 2)) * 60 + Number(time.slice(3));
  const opened = new Set<string>();
  const closed = new Set<string>();
  const may = (of: number, days: readonly string[] | undefined): boolean =>
    !except.includes(iso(of * day).slice(0, 10)) && (days ?? weekdays).includes(weekdays[(of + 3) % 7] ?? '');
  const isOpen = (time: number): boolean => {
    const local = time + offsetAt(time);
    const today = Math.floor(local / day);
    const minutes = Math.floor((local - today * day) / minute);
    let open = false;
    for (const [n, { days, from: opens, to: closes }] of windows.entries()) {
      const isOvernight = closes < opens;
      if (minutes >= minutesOf(opens)) opened.add(`${n} ${today}`);
      if (minutes >= minutesOf(closes)) closed.add(`${n} ${isOvernight ? today - 1 : today}`);
      for (const of of isOvernight ? [today - 1, today] : [today]) {
        const key = `${n} ${of}`;
        if (may(of, days) && opened.has(key) && !closed.has(key)) open = true;
      }
    }
    return open;
  };
  // What opened before is open at the beginning.
  const start = Math.floor((from - 50 * hour) / minute) * minute;
  for (let time = start; time <= from; time += minute) isOpen(time);
  let time = from;
  while (!isOpen(time)) time = (Math.floor(time / minute) + 1) * minute;
  return time;
}

const cases = Number(process.env['WAKE_CASES'] ?? 120);

describe('a delay agrees with a calendar that is walked through minute by minute', () => {
  it(`in ${cases} random windows of ${zones.length} zones around both changes of clocks`, () => {
    const random = randomOf(20_260_329);
    const clockTime = (): string =>
      `${String(random(24)).padStart(2, '0')}:${String([0, 15, 30, 45][random(4)]).padStart(2, '0')}`;
    for (let n = 0; n < cases; n += 1) {
      const zone = zones[random(zones.length)] ?? 'UTC';
      // Within days of the changes of clocks in spring and autumn, north and south.
      const month = [2, 3, 8, 9, 10][random(5)] ?? 2;
      const from = Date.UTC(2024 + random(4), month, 1 + random(28), random(24), random(60), random(60));
      const windows = Array.from({ length: 1 + random(3) }, () => {
        const opens = clockTime();
        let closes = clockTime();
        while (closes === opens) closes = clockTime();
        const days = weekdays.filter(() => random(3) > 0);
        return { from: opens, to: closes, ...(days.length > 0 && { days }) };
      });
      const except = random(3) > 0 ? [] : [iso(from + random(3) * day).slice(0, 10)];
      const config: DelayConfig = { windows, except };
      const got = wakeTimeOf(config, { now: from, zone, read: () => undefined }).at;
      expect({ n, zone, from: iso(from), config, at: iso(got) }).toEqual({
        ...{ n, zone, from: iso(from), config },
        at: iso(firstOpenByWalking(config, from, zone)),
      });
    }
  });

  it('and shows the time of day that was asked for, or the next one that exists', () => {
    const random = randomOf(7);
    for (let n = 0; n < cases * 10; n += 1) {
      const zone = zones[random(zones.length)] ?? 'UTC';
      const local = Date.UTC(2024 + random(4), random(12), 1 + random(28), random(24), random(4) * 15);
      const first = clockOf(zone).firstAt(local);
      const offsetAt = offsetsOf(zone);
      const shown = first + offsetAt(first);
      if (shown === local) {
        // No earlier instant shows it.
        for (const earlier of [30 * minute, hour, 2 * hour]) {
          expect(first - earlier + offsetAt(first - earlier)).not.toBe(local);
        }
      } else {
        expect(shown).toBeGreaterThan(local);
        const before = first - 1;
        expect(before + offsetAt(before)).toBeLessThan(local);
      }
    }
  });
});

describe('the configuration of a delay', () => {
  const problems = (config: object) =>
    delayStep.config.safeParse(config).error?.issues.map(({ path }) => path.join('.'));

  it.each([
    [{ amount: 3, unit: 'days' }],
    [{ until: { field: 'context.event.dueAt', at: '09:00' } }],
    [{ windows: [{ from: '09:00', to: '17:00' }], except: ['2026-12-25'] }],
    [{ amount: 1, unit: 'hours', windows: [{ from: '22:00', to: '06:00' }], zone: 'PROJECT' }],
  ])('takes %j', (config) => {
    expect(problems(config)).toBeUndefined();
  });

  it.each([
    [{}, ['amount']],
    [{ amount: 3 }, ['unit']],
    [{ unit: 'days' }, ['amount']],
    [{ amount: 366, unit: 'days' }, ['amount']],
    [{ amount: 1, unit: 'days', until: { field: 'data.a' } }, ['until']],
    [{ until: { field: 'a' } }, ['until.field']],
    [{ windows: [] }, ['windows']],
    [{ windows: [{ days: [], from: '09:00', to: '17:00' }] }, ['windows.0.days']],
    [{ windows: [{ from: '09:00', to: '09:00' }] }, ['windows.0.to']],
    [{ windows: [{ from: '24:00', to: '09:00' }] }, ['windows.0.from']],
    [{ windows: [{ from: '08:00', to: '09:00' }], except: ['2026-02-30'] }, ['except.0']],
    [{ amount: 1, unit: 'days', except: ['2026-02-20'] }, ['except']],
  ])('refuses %j at %j', (config, fields) => {
    expect(problems(config)).toEqual(fields);
  });
});
