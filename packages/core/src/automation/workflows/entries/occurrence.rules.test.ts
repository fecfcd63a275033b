import { describe, expect, it } from 'vitest';
import {
  type DateTrigger,
  datesWithin,
  dateTriggerOf,
  nextOccurrence,
  occurrenceAt,
} from './occurrence.rules.ts';

const trigger = (given: Partial<DateTrigger> = {}): DateTrigger => ({
  field: 'data.birthday',
  repeat: 'YEARLY',
  offsetDays: 0,
  at: '09:00',
  ...given,
});
const at = (text: string): number => Date.parse(text);
const next = (given: Partial<DateTrigger>, value: unknown, zone: string, after: string) => {
  const found = nextOccurrence(trigger(given), value, zone, at(after));
  return found && `${found.day} ${new Date(found.at).toISOString()}`;
};

describe('the next occurrence of a date', () => {
  it.each([
    [
      'of this year',
      {},
      '1990-06-15',
      'UTC',
      '2026-06-15T08:59:59.999Z',
      '2026-06-15 2026-06-15T09:00:00.000Z',
    ],
    [
      'of the next once it has come',
      {},
      '1990-06-15',
      'UTC',
      '2026-06-15T09:00:00.000Z',
      '2027-06-15 2027-06-15T09:00:00.000Z',
    ],
    [
      'by the clock of the zone',
      {},
      '1990-06-15',
      'America/New_York',
      '2026-06-15T09:00:00.000Z',
      '2026-06-15 2026-06-15T13:00:00.000Z',
    ],
    [
      'on the day of the zone, which begins before',
      {},
      '1990-01-01',
      'Pacific/Auckland',
      '2025-12-31T00:00:00.000Z',
      '2026-01-01 2025-12-31T20:00:00.000Z',
    ],
    [
      '29 February in a year without it',
      {},
      '1992-02-29',
      'UTC',
      '2026-01-01T00:00:00.000Z',
      '2026-02-28 2026-02-28T09:00:00.000Z',
    ],
    [
      '29 February in a leap year',
      {},
      '1992-02-29',
      'UTC',
      '2028-01-01T00:00:00.000Z',
      '2028-02-29 2028-02-29T09:00:00.000Z',
    ],
    [
      'days before it, over the turn of the year',
      { offsetDays: -7 },
      '1990-01-03',
      'UTC',
      '2026-11-01T00:00:00.000Z',
      '2026-12-27 2026-12-27T09:00:00.000Z',
    ],
    [
      'a year after it',
      { offsetDays: 365 },
      '2020-03-01',
      'UTC',
      '2026-02-28T00:00:00.000Z',
      '2026-03-01 2026-03-01T09:00:00.000Z',
    ],
    [
      'days after 29 February count from 28 February',
      { offsetDays: 1 },
      '1992-02-29',
      'UTC',
      '2026-01-01T00:00:00.000Z',
      '2026-03-01 2026-03-01T09:00:00.000Z',
    ],
    [
      'a time that the day does not have is the next one',
      { at: '02:30' },
      '1990-03-29',
      'Europe/Berlin',
      '2026-03-28T00:00:00.000Z',
      '2026-03-29 2026-03-29T01:00:00.000Z',
    ],
    [
      'of two times the first',
      { at: '02:30' },
      '1990-10-25',
      'Europe/Berlin',
      '2026-10-24T00:00:00.000Z',
      '2026-10-25 2026-10-25T00:30:00.000Z',
    ],
    [
      'a date-time has the day of the zone',
      {},
      '1990-06-14T23:30:00Z',
      'Europe/Berlin',
      '2026-01-01T00:00:00.000Z',
      '2026-06-15 2026-06-15T07:00:00.000Z',
    ],
    ['from the date itself on', {}, '2030-06-15', 'UTC', '2026-01-01T00:00:00.000Z', null],
    [
      'once',
      { repeat: 'ONCE' as const },
      '2026-06-15',
      'UTC',
      '2026-06-01T00:00:00.000Z',
      '2026-06-15 2026-06-15T09:00:00.000Z',
    ],
    [
      'once, and it has passed',
      { repeat: 'ONCE' as const },
      '2026-06-15',
      'UTC',
      '2026-06-15T09:00:00.000Z',
      null,
    ],
  ])('%s', (_case, given, value, zone, after, expected) => {
    expect(next(given, value, zone, after)).toBe(expected);
  });

  it.each([
    [null],
    [undefined],
    [19900615],
    ['15.06.1990'],
    ['1990-02-30'],
    ['1990-06'],
    [''],
    [{ a: 1 }],
    [['1990-06-15']],
  ])('%j has none', (value) => {
    expect(next({}, value, 'UTC', '2026-01-01T00:00:00.000Z')).toBeNull();
    expect(next({ repeat: 'ONCE' }, value, 'UTC', '1980-01-01T00:00:00.000Z')).toBeNull();
  });

  it('is none where the calendar ends', () => {
    expect(
      next({ repeat: 'ONCE', offsetDays: 365 }, '9999-12-31', 'UTC', '9999-12-01T00:00:00.000Z'),
    ).toBeNull();
    expect(
      next({ repeat: 'ONCE', offsetDays: -365 }, '0001-01-01', 'UTC', '2026-01-01T00:00:00.000Z'),
    ).toBeNull();
  });
});

it('an occurrence is that of the day while the date has one there', () => {
  const yearly = trigger({ offsetDays: -7 });
  expect(occurrenceAt(yearly, '1990-01-03', 'UTC', '2026-12-27')).toEqual({
    day: '2026-12-27',
    at: at('2026-12-27T09:00:00.000Z'),
  });
  expect(occurrenceAt(yearly, '1990-01-04', 'UTC', '2026-12-27')).toBeNull();
  expect(occurrenceAt(yearly, null, 'UTC', '2026-12-27')).toBeNull();
  expect(occurrenceAt(yearly, '1990-01-03', 'Asia/Tokyo', '2026-12-27')?.at).toBe(
    at('2026-12-27T00:00:00.000Z'),
  );
});

it('what a value may begin with leaves out no occurrence of the period, in any zone', () => {
  const zones = ['UTC', 'Pacific/Kiritimati', 'Etc/GMT+12', 'America/New_York', 'Asia/Kathmandu'];
  const dayMs = 86_400_000;
  for (const repeat of ['ONCE', 'YEARLY'] as const)
    for (const offsetDays of [-365, -1, 0, 1, 59, 365])
      for (let n = 0; n < 366; n += 1) {
        const day = new Date(at('2024-01-01T00:00:00.000Z') + n * dayMs).toISOString().slice(0, 10);
        const given = trigger({ repeat, offsetDays, at: n % 2 === 0 ? '00:00' : '23:59' });
        for (const value of [day, `${day}T00:30:00+14:00`, `${day}T23:30:00-12:00`]) {
          const zone = zones[n % zones.length] ?? 'UTC';
          const found = nextOccurrence(given, value, zone, at('2023-01-01T00:00:00.000Z'));
          if (found === null) continue;
          const beginnings = datesWithin(given, found.at - 1, found.at);
          expect(beginnings).toContain(repeat === 'ONCE' ? value.slice(0, 10) : value.slice(5, 10));
        }
      }
});

it('a trigger without a field has no dates', () => {
  expect(dateTriggerOf({ repeat: 'ONCE' })).toBeNull();
  expect(dateTriggerOf({ field: 'data.end', repeat: 'ONCE' })).toEqual(
    trigger({ field: 'data.end', repeat: 'ONCE' }),
  );
});
