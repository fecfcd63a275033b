import fc from '@postrider/vitest/fast-check.ts';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { instant } from '../kernel/fields.ts';
import { bareDayOf, instantOf, readIsoDate, writtenInstantOf } from './dates.rules.ts';

const schema = z.object({ at: instant });

describe('a date (B1.1)', () => {
  it.each([
    ['2026-03-01', '2026-03-01T00:00:00.000Z'],
    ['2026-03-01T09:30', '2026-03-01T09:30:00.000Z'],
    ['2026-03-01 09:30:15', '2026-03-01T09:30:15.000Z'],
    ['2026-03-01 09:30:15Z', '2026-03-01T09:30:15.000Z'],
    ['2026-03-01T09:30:00+02:00', '2026-03-01T07:30:00.000Z'],
    ['2026-03-01T09:30:00+0200', '2026-03-01T07:30:00.000Z'],
    ['2026-03-01t09:30:00z', '2026-03-01T09:30:00.000Z'],
    ['2026-03-01T09:30:00.123456Z', '2026-03-01T09:30:00.123Z'],
    ['2028-02-29', '2028-02-29T00:00:00.000Z'],
    ['0001-01-01', '0001-01-01T00:00:00.000Z'],
    [1_772_357_400_000, '2026-03-01T09:30:00.000Z'],
  ])('%s is %s', (given, expected) => {
    expect(instantOf(given)?.toISOString()).toBe(expected);
    expect(schema.parse({ at: given }).at.toISOString()).toBe(expected);
  });

  it.each([
    '0.5',
    '1772357400000',
    '2026',
    '2026-03',
    '2026-02-30',
    '2026-02-29',
    '2099-02-30T00:00:00Z',
    '2026-13-01',
    '2026-03-00',
    '2026-03-01T25:00:00Z',
    '2026-03-01T09:60:00Z',
    '2026-03-01T09:30:00+24:00',
    '2026-03-01T09:30:00 02:00',
    '2026-3-1',
    'Tue Mar 1 2026',
    'Sun, 01 Mar 2026 09:30:00 GMT',
    '03/01/2026',
    'now',
    '',
    '0000-01-01',
    '-000001-01-01T00:00:00Z',
    '+010000-01-01T00:00:00Z',
    0.5,
    1e15,
    Number.NaN,
    null,
    true,
    {},
  ])('%j is none', (given) => {
    expect(instantOf(given)).toBeNull();
    expect(schema.safeParse({ at: given }).success).toBe(false);
  });
});

it('the day of a date is the one that is written, whatever its zone', () => {
  expect(readIsoDate('2026-03-01T23:30:00-05:00')).toEqual({
    day: '2026-03-01',
    time: 84_600_000,
    offset: -18_000_000,
  });
  expect(readIsoDate('2026-02-30T23:30:00-05:00')).toBeNull();
  expect(bareDayOf('2026-03-01')).toBe('2026-03-01');
  expect(bareDayOf('2026-03-01T00:00')).toBeNull();
  expect(bareDayOf(1_772_357_400_000)).toBeNull();
});

it('a date of ISO 8601 is what ECMAScript reads, but for years of other lengths and days that do not exist', () => {
  const two = (below: number) => fc.nat(below - 1).map((number) => String(number).padStart(2, '0'));
  const part = fc.oneof(two(62), two(32), two(13));
  const texts = fc
    .tuple(
      fc.nat(9_999),
      part,
      part,
      fc.option(fc.tuple(part, part, fc.option(part), fc.option(fc.tuple(part, part)))),
    )
    .map(([year, month, day, rest]) => {
      const date = `${String(year).padStart(4, '0')}-${month}-${day}`;
      if (rest === null) return date;
      const [hours, minutes, seconds, zone] = rest;
      return `${date}T${hours}:${minutes}${seconds ? `:${seconds}.123` : ''}${zone ? `-${zone.join(':')}` : 'Z'}`;
    });
  fc.assert(
    fc.property(texts, (text) => {
      const time = Date.parse(text);
      const day = new Date(`${text.slice(0, 10)}T00:00:00Z`);
      const exists = !Number.isNaN(day.getTime()) && day.toISOString().startsWith(text.slice(0, 10));
      const inRange =
        time >= Date.parse('0001-01-01T00:00Z') && time < Date.parse('9999-12-31T23:59:59.999Z');
      expect(instantOf(text)?.getTime() ?? null).toBe(exists && inRange ? time : null);
    }),
    { numRuns: 3_000 },
  );
});

describe('a date for scheduling (B4.7)', () => {
  it.each([
    ['2099-01-01', '2099-01-01T00:00:00.000Z'],
    ['Jan 1, 2099', '2099-01-01T00:00:00.000Z'],
    ['2099/01/02', '2099-01-02T00:00:00.000Z'],
    ['2099/1/2 09:30', '2099-01-02T09:30:00.000Z'],
    ['2099/01/02 09:30:15 +0200', '2099-01-02T07:30:15.000Z'],
    ['1/2/2099', '2099-01-02T00:00:00.000Z'],
    ['12/31/2099 23:59', '2099-12-31T23:59:00.000Z'],
    ['12/31/2099, 9:30 PM', '2099-12-31T21:30:00.000Z'],
    ['2099-1-2', '2099-01-02T00:00:00.000Z'],
    ['2099-1-2T9:30', '2099-01-02T09:30:00.000Z'],
    ['January 1 2099 10:30', '2099-01-01T10:30:00.000Z'],
    ['1 Jan 2099 UTC', '2099-01-01T00:00:00.000Z'],
    ['Thu, 01 Jan 2099 09:00:00 GMT', '2099-01-01T09:00:00.000Z'],
    ['Thu, 01 Jan 2099 09:00:00 +0200', '2099-01-01T07:00:00.000Z'],
    ['Thu Jan 01 2099 09:00:00 GMT+0100 (Central European Standard Time)', '2099-01-01T08:00:00.000Z'],
  ])('%s is %s', (given, expected) => {
    expect(writtenInstantOf(given)?.toISOString()).toBe(expected);
  });

  it.each([
    'Feb 30, 2099',
    '31 Apr 2099',
    'Foo 1, 2099',
    '0.5',
    '2099-02-30',
    '2099/02/30',
    '2099/13/01',
    '2099/1-2',
    '2099/1/2 25:00',
    'tomorrow',
    '31/12/2099',
    '2/30/2099',
    '1/2/99',
    '',
    {},
    true,
  ])('%j is refused', (given) => {
    expect(writtenInstantOf(given)).toBeNull();
  });
});
