import { describe, expect, it } from 'vitest';
import { monthOf, totalCapOf, usageOf } from './billing.rules.ts';

const none = { workflows: null, campaigns: null, transactional: null };

describe('usage next to its cap', () => {
  it.each([
    [0, null, { percentage: 0, isWarning: false, isBlocked: false }],
    [5_000_000, null, { percentage: 0, isWarning: false, isBlocked: false }],
    [799, 1000, { percentage: 79.9, isWarning: false, isBlocked: false }],
    [800, 1000, { percentage: 80, isWarning: true, isBlocked: false }],
    [999, 1000, { percentage: 99.9, isWarning: true, isBlocked: false }],
    [1000, 1000, { percentage: 100, isWarning: true, isBlocked: true }],
    [1, 3, { percentage: 33.33, isWarning: false, isBlocked: false }],
    [99_999, 100_000, { percentage: 100, isWarning: true, isBlocked: false }],
  ])('%s of %s', (usage, limit, expected) => {
    expect(usageOf(usage, limit)).toEqual({ usage, limit, ...expected });
  });
});

it('a project with neither a subscription nor caps has 1,000 emails a month', () => {
  expect(totalCapOf(null, none)).toBe(1000);
  expect(totalCapOf('sub_1', none)).toBeNull();
  expect(totalCapOf(null, { ...none, campaigns: 5 })).toBeNull();
});

it('a month ends where the next one begins, in UTC', () => {
  expect(monthOf(new Date('2026-12-31T23:59:59.999Z'))).toEqual({
    start: new Date('2026-12-01T00:00:00Z'),
    end: new Date('2027-01-01T00:00:00Z'),
  });
});
