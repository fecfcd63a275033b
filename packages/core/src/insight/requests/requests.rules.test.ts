import { describe, expect, it } from 'vitest';
import { p95Of, stepOf } from './requests.rules.ts';

describe('durations', () => {
  it.each([
    [0, 1],
    [1, 1],
    [10, 11],
    [250, 303],
    [5_000, 5_793],
  ])('of %d ms are told to within 20 percent', (ms, told) => {
    expect(p95Of({ [stepOf(ms)]: 1 })).toBeGreaterThanOrEqual(ms);
    expect(p95Of({ [stepOf(ms)]: 1 })).toBeLessThanOrEqual(Math.max(told, ms * 1.2 + 1));
  });

  it('p95 is what 95 of 100 took at most', () => {
    const durations: Record<string, number> = {};
    for (let ms = 1; ms <= 100; ms += 1) durations[stepOf(ms)] = (durations[stepOf(ms)] ?? 0) + 1;
    const p95 = p95Of(durations);
    expect(p95).toBeGreaterThanOrEqual(95);
    expect(p95).toBeLessThanOrEqual(115);
  });

  it('without requests p95 is 0, and a day counts as the longest', () => {
    expect(p95Of({})).toBe(0);
    expect(stepOf(86_400_000)).toBe(stepOf(Number.MAX_SAFE_INTEGER));
  });
});
