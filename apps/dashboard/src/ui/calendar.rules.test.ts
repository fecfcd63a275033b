import { describe, expect, it } from 'vitest';
import { addMonths, dayAfterKey, dayOf, instantOf, isDay, timeOfDay, weeksOf } from './calendar.rules.ts';

describe('the weeks of a month', () => {
  it('begin on Monday and contain the whole month', () => {
    const weeks = weeksOf('2026-11-22');
    expect(weeks).toHaveLength(6);
    expect(weeks[0]?.[0]).toBe('2026-10-26');
    expect(weeks.flat()).toContain('2026-11-01');
    expect(weeks.flat()).toContain('2026-11-30');
  });
});

describe('a day', () => {
  it('moves by the keys of a calendar', () => {
    const moved = (key: string, shift = false) => dayAfterKey('2026-11-22', key, shift);
    expect(moved('ArrowLeft')).toBe('2026-11-21');
    expect(moved('ArrowDown')).toBe('2026-11-29');
    expect(moved('Home')).toBe('2026-11-16');
    expect(moved('End')).toBe('2026-11-22');
    expect(moved('PageDown')).toBe('2026-12-22');
    expect(moved('PageUp', true)).toBe('2025-11-22');
    expect(moved('a')).toBeNull();
  });

  it('moves to the last day of a shorter month', () => {
    expect(addMonths('2026-01-31', 1)).toBe('2026-02-28');
    expect(addMonths('2024-03-31', -1)).toBe('2024-02-29');
  });

  it('is refused if the calendar has no such day', () => {
    expect(isDay('2026-02-28')).toBe(true);
    expect(isDay('2026-02-30')).toBe(false);
    expect(isDay('28.02.2026')).toBe(false);
  });
});

describe('a day and a time', () => {
  it('give the instant in the time zone of the browser, and back', () => {
    const instant = instantOf('2026-11-22', '9:05');
    expect(instant && dayOf(instant)).toBe('2026-11-22');
    expect(instant && timeOfDay(instant)).toBe('09:05');
  });

  it('give no instant while one of them is not readable', () => {
    expect(instantOf('2026-11-22', '24:00')).toBeNull();
    expect(instantOf('2026-11-22', 'noon')).toBeNull();
    expect(instantOf('', '09:00')).toBeNull();
  });
});
