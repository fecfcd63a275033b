import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { Setbacks } from './setbacks.ts';

beforeEach(() => vi.useFakeTimers({ toFake: ['performance'] }));
afterEach(() => vi.useRealTimers());

/** The pauses of a content that fails again after each. */
function pausesOf(setbacks: Setbacks, contentId: string, attempts: number): number[] {
  return Array.from({ length: attempts }, () => {
    const { pauseMs } = setbacks.failed(contentId);
    vi.advanceTimersByTime(pauseMs);
    return pauseMs;
  });
}

it('emails of a content that cannot be composed are given back for a pause that grows with each attempt', () => {
  const pauses = pausesOf(new Setbacks(), 'a', 12);
  expect(pauses.slice(0, 4)).toEqual([1_000, 2_000, 4_000, 8_000]);
  expect(pauses.slice(-2)).toEqual([300_000, 300_000]);
});

it('calls that fail at the same time are one attempt', () => {
  const setbacks = new Setbacks();
  expect(setbacks.failed('a')).toEqual({ pauseMs: 1_000, isNew: true });
  vi.advanceTimersByTime(400);
  expect(setbacks.failed('a')).toEqual({ pauseMs: 600, isNew: false });
});

it('one content that fails stops no other', () => {
  const setbacks = new Setbacks();
  pausesOf(setbacks, 'a', 5);
  expect(setbacks.state).toBe('fine');
});

it('different contents that fail pause the process, which then tries a few', () => {
  const setbacks = new Setbacks();
  setbacks.failed('a');
  setbacks.failed('b');
  expect(setbacks.state).toBe('paused');
  vi.advanceTimersByTime(1_000);
  expect(setbacks.state).toBe('trial');
  setbacks.failed('b');
  vi.advanceTimersByTime(1_000);
  expect(setbacks.state).toBe('paused');
  setbacks.succeeded('b');
  expect(setbacks.state).toBe('fine');
});
