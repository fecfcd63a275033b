import { expect, it } from 'vitest';
import { byDay, type CalendarItem, monthIn, periodOfMonth } from './campaign-calendar.rules.ts';

const item = (id: string, at: string): CalendarItem => ({ id, name: id, status: 'SENT', at });

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
