import { expect, it } from 'vitest';
import {
  formatInZone,
  readZonedTime,
  wallClockOf,
  zoneInWords,
  zoneNamed,
  zonesInWords,
} from './zoned-time.rules.ts';

it.each([
  ['2026-11-23', '9:00', 'America/New_York', '2026-11-23T14:00:00.000Z'],
  ['2026-07-01', '09:30', 'Europe/Amsterdam', '2026-07-01T07:30:00.000Z'],
  ['2026-01-01', '00:15', 'Asia/Kolkata', '2025-12-31T18:45:00.000Z'],
  ['2026-12-31', '23:59', 'Pacific/Kiritimati', '2026-12-31T09:59:00.000Z'],
  ['2026-03-01', '12:00', 'UTC', '2026-03-01T12:00:00.000Z'],
  // The hour after and the hour before a change of the clocks.
  ['2026-03-29', '03:00', 'Europe/Berlin', '2026-03-29T01:00:00.000Z'],
  ['2026-03-29', '01:59', 'Europe/Berlin', '2026-03-29T00:59:00.000Z'],
])('%s %s in %s is %s', (day, time, zone, instant) => {
  expect(readZonedTime(day, time, zone)).toEqual({
    kind: 'instant',
    at: new Date(instant),
    isRepeated: false,
  });
  expect(wallClockOf(new Date(instant), zone)).toEqual({ day, time: time.padStart(5, '0') });
});

it.each([
  ['2026-03-29', '02:00', 'Europe/Berlin'],
  ['2026-03-29', '02:59', 'Europe/Berlin'],
  ['2026-03-08', '02:30', 'America/New_York'],
  ['2026-10-04', '02:15', 'Australia/Lord_Howe'],
  // Samoa moved across the date line, without this day.
  ['2011-12-30', '12:00', 'Pacific/Apia'],
])('%s %s does not exist in %s, because the clocks go forward', (day, time, zone) => {
  expect(readZonedTime(day, time, zone)).toEqual({ kind: 'skipped' });
});

it.each([
  ['2026-10-25', '02:30', 'Europe/Berlin', '2026-10-25T00:30:00.000Z'],
  ['2026-11-01', '01:00', 'America/New_York', '2026-11-01T05:00:00.000Z'],
])('%s %s occurs twice in %s, and the first time is meant', (day, time, zone, instant) => {
  expect(readZonedTime(day, time, zone)).toEqual({
    kind: 'instant',
    at: new Date(instant),
    isRepeated: true,
  });
});

it('a zone, a day or a time that does not exist is not read', () => {
  expect(readZonedTime('2026-03-01', '12:00', zoneNamed('Europe/Berl'))).toEqual({ kind: 'no-zone' });
  expect(readZonedTime('2026-02-30', '12:00', 'UTC')).toEqual({ kind: 'no-time' });
  expect(readZonedTime('2026-02-03', '24:00', 'UTC')).toEqual({ kind: 'no-time' });
  expect(readZonedTime('', '', 'UTC')).toEqual({ kind: 'no-time' });
});

it('an instant is shown by the clocks of the zone', () => {
  expect(formatInZone(new Date('2026-11-23T14:00:00Z'), 'America/New_York').replaceAll(' ', ' ')).toBe(
    'Mon, Nov 23, 2026, 9:00 AM',
  );
});

it('every zone can be written with spaces, in any case', () => {
  expect(zoneNamed(' america/new york ')).toMatch(/^america\/new_york$/i);
  expect(zoneInWords('America/New_York')).toBe('America/New York');
  expect(zonesInWords.filter((zone) => zoneNamed(zone) === null)).toEqual([]);
  expect(['', '+02:00', 'Mars/Base'].map(zoneNamed)).toEqual([null, null, null]);
});
