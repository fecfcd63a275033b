import { describe, expect, it } from 'vitest';
import { runsOf } from './buckets.rules.ts';

const names = (from: string, to: string, zone: string, granularity: 'hour' | 'day') =>
  runsOf({ from: new Date(from), to: new Date(to) }, zone, granularity).map(({ bucket }) => bucket);
const starts = (from: string, to: string, zone: string, granularity: 'hour' | 'day') =>
  runsOf({ from: new Date(from), to: new Date(to) }, zone, granularity).map(({ start }) =>
    start.toISOString(),
  );

describe('the buckets of a period', () => {
  it('are the hours that it touches, its end not included', () => {
    expect(names('2026-03-01T09:30:00Z', '2026-03-01T11:00:00Z', 'UTC', 'hour')).toEqual([
      '2026-03-01T09:00',
      '2026-03-01T10:00',
    ]);
  });

  it('are days of the zone', () => {
    expect(names('2026-03-01T22:00:00Z', '2026-03-02T23:01:00Z', 'Europe/Berlin', 'day')).toEqual([
      '2026-03-01',
      '2026-03-02',
      '2026-03-03',
    ]);
  });

  it.each([
    ['Asia/Kolkata', '2026-03-01T00:30:00.000Z'],
    ['Asia/Kathmandu', '2026-03-01T00:15:00.000Z'],
    ['Australia/Adelaide', '2026-03-01T00:30:00.000Z'],
    ['America/St_Johns', '2026-03-01T00:30:00.000Z'],
  ])('are hours of %s, which is not a whole number of hours from UTC', (zone, second) => {
    expect(starts('2026-03-01T00:00:00Z', '2026-03-01T01:00:00Z', zone, 'hour')[1]).toBe(second);
  });

  it('leave out the hour that daylight saving time skips', () => {
    const hours = names('2026-03-28T23:00:00Z', '2026-03-29T22:00:00Z', 'Europe/Berlin', 'hour');
    expect(hours).toHaveLength(23);
    expect(hours.slice(0, 4)).toEqual([
      '2026-03-29T00:00',
      '2026-03-29T01:00',
      '2026-03-29T03:00',
      '2026-03-29T04:00',
    ]);
  });

  it('contain the hour that the end of daylight saving time repeats once', () => {
    const hours = names('2026-10-24T22:00:00Z', '2026-10-25T23:00:00Z', 'Europe/Berlin', 'hour');
    expect(hours).toHaveLength(24);
    expect(new Set(hours).size).toBe(24);
    expect(hours.at(-1)).toBe('2026-10-25T23:00');
  });

  it('follow a change of the clocks by half an hour', () => {
    const hours = starts('2026-04-04T13:00:00Z', '2026-04-04T16:30:00Z', 'Australia/Lord_Howe', 'hour');
    expect(hours).toEqual([
      '2026-04-04T13:00:00.000Z',
      '2026-04-04T14:00:00.000Z',
      '2026-04-04T15:30:00.000Z',
    ]);
  });

  it('are every day once, in any zone, also where the clocks change', () => {
    for (const zone of ['America/New_York', 'Pacific/Apia', 'America/Havana', 'Africa/Casablanca']) {
      const days = names('2026-01-15T12:00:00Z', '2026-04-10T12:00:00Z', zone, 'day');
      expect(new Set(days).size).toBe(days.length);
      expect(days.length).toBeGreaterThanOrEqual(86);
    }
  });
});
