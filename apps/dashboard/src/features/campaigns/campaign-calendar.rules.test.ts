import { expect, it } from 'vitest';
import {
  byDay,
  type CalendarItem,
  localTimeOnDay,
  monthIn,
  onDay,
  periodOfMonth,
} from './campaign-calendar.rules.ts';

const item = (id: string, at: string): CalendarItem => ({
  ...{ kind: 'campaign', id, name: id, status: 'SENT', at },
  ...{ recipients: 3, audience: 'All contacts', localTime: null },
});

it('the month is that of the address, or the present one of the zone', () => {
  const newYear = Date.parse('2027-01-01T02:00:00Z');
  expect(monthIn('2026-03', newYear, 'UTC')).toBe('2026-03-01');
  expect(monthIn('', newYear, 'UTC')).toBe('2027-01-01');
  for (const text of ['2026-13', '9999-12', '2026-11-01'])
    expect(monthIn(text, newYear, 'America/New_York')).toBe('2026-12-01');
});

it('the period is that of whole weeks, which begin when days begin in the zone', () => {
  // March 2026 begins and April 5 ends the six weeks; clocks go forward on March 29.
  expect(periodOfMonth('2026-03-01', 'Europe/Berlin')).toEqual({
    from: '2026-02-22T23:00:00.000Z',
    to: '2026-04-05T22:00:00.000Z',
  });
});

it('a campaign is on the day of the zone on which it starts, also on one of 23 hours', () => {
  const items = [
    item('late', '2026-03-29T21:59:59.999Z'),
    item('next', '2026-03-29T22:00:00.000Z'),
    item('early', '2026-03-28T23:00:00.000Z'),
    item('before', '2026-03-28T22:59:59.999Z'),
  ];
  const days = [...byDay(items, 'Europe/Berlin')].map(([day, of]) => [day, of.map(({ id }) => id)]);
  expect(days).toEqual([
    ['2026-03-28', ['before']],
    ['2026-03-29', ['early', 'late']],
    ['2026-03-30', ['next']],
  ]);
});

it('the times of a workflow are one entry of each day', () => {
  const tick = (at: string) => ({ ...item('flow', at), kind: 'schedule' as const });
  const items = [tick('2026-03-02T08:00:00Z'), tick('2026-03-01T20:00:00Z'), tick('2026-03-01T08:00:00Z')];
  expect([...byDay(items, 'UTC')].map(([day, of]) => [day, of.map(({ at, times }) => [at, times])])).toEqual([
    ['2026-03-01', [['2026-03-01T08:00:00Z', 2]]],
    ['2026-03-02', [['2026-03-02T08:00:00Z', 1]]],
  ]);
});

it('a campaign that is moved keeps the time of the clocks, across a change of them, and gets the next one on a day that lacks it', () => {
  const moved = (day: string) => onDay('2026-03-27T01:30:00.000Z', day, 'Europe/Berlin').toISOString();
  expect(moved('2026-03-28')).toBe('2026-03-28T01:30:00.000Z');
  expect(moved('2026-03-30')).toBe('2026-03-30T00:30:00.000Z');
  // 02:30 does not exist.
  expect(moved('2026-03-29')).toBe('2026-03-29T01:00:00.000Z');
});

it('a local time moves by the days between', () => {
  // In the project's zone the first contacts get it on the day before.
  expect(localTimeOnDay('2026-03-01T09:00', '2026-02-28T19:00:00.000Z', '2026-03-02', 'UTC')).toBe(
    '2026-03-03T09:00',
  );
});
