import { describe, expect, it } from 'vitest';
import { periodOf } from './periods.rules.ts';
import { clockOf } from './time-zones.rules.ts';

const shown = (given: Parameters<typeof periodOf>[0], zone: string, end: 'included' | 'excluded') => {
  const { from, to } = periodOf(given, zone, end);
  return [from?.toISOString(), to?.toISOString()];
};

describe('a period (B1.1)', () => {
  it('has whole days at both ends, in the zone of the project', () => {
    const day = { from: '2026-11-25', to: '2026-11-25' };
    expect(shown(day, 'UTC', 'included')).toEqual(['2026-11-25T00:00:00.000Z', '2026-11-25T23:59:59.999Z']);
    expect(shown(day, 'UTC', 'excluded')).toEqual(['2026-11-25T00:00:00.000Z', '2026-11-26T00:00:00.000Z']);
    expect(shown(day, 'Europe/Berlin', 'excluded')).toEqual([
      '2026-11-24T23:00:00.000Z',
      '2026-11-25T23:00:00.000Z',
    ]);
  });

  it('keeps instants, and has no end after the last year', () => {
    const at = new Date('2026-11-25T12:00:00Z');
    expect(periodOf({ from: at, to: at }, 'Europe/Berlin', 'included')).toEqual({ from: at, to: at });
    expect(shown({ to: '9999-12-31' }, 'UTC', 'included')).toEqual([undefined, undefined]);
  });

  it.each([
    ['2025-03-30', 'Europe/Berlin', 23],
    ['2025-10-26', 'Europe/Berlin', 25],
    // Midnight is skipped: the day begins at one.
    ['2025-04-25', 'Africa/Cairo', 23],
    // Midnight occurs twice: the day begins with the first.
    ['2025-11-02', 'America/Havana', 25],
    ['2011-12-30', 'Pacific/Apia', 0],
  ])('%s in %s has %i hours', (day, zone, hours) => {
    const [from = '', to = ''] = shown({ from: day, to: day }, zone, 'excluded');
    expect((Date.parse(to) - Date.parse(from)) / 3_600_000).toBe(hours);
  });
});

it('a time that clocks skip counts from the offset before, and of one that occurs twice it is the second', () => {
  const { instantAt } = clockOf('Europe/Berlin');
  const at = (local: string) => new Date(instantAt(Date.parse(local))).toISOString();
  expect(at('2025-03-30T02:30:00Z')).toBe('2025-03-30T01:30:00.000Z');
  expect(at('2025-10-26T02:30:00Z')).toBe('2025-10-26T01:30:00.000Z');
  expect(at('2025-07-01T12:00:00Z')).toBe('2025-07-01T10:00:00.000Z');
});
