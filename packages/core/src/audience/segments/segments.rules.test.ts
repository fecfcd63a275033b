import fc from '@postrider/vitest/fast-check.ts';
import { describe, expect, it } from 'vitest';
import { newId } from '../../base/lib/ids.ts';
import { isReported, nextCountAt, nextPassAt, wheelMs } from './segments.rules.ts';

const dayMs = 86_400_000;

describe('the next pass', () => {
  it('comes within a day and a minute, before the moments of the wheel end, and always at the same time of day', () => {
    fc.assert(
      fc.property(
        fc.constant('').map(() => newId()),
        fc.nat(4 * dayMs),
        (id, by) => {
          const from = new Date(Date.parse('2026-11-29T00:00:00Z') + by);
          const next = nextPassAt(id, from);
          const aheadMs = next.getTime() - from.getTime();
          expect(aheadMs).toBeGreaterThan(60_000);
          expect(aheadMs).toBeLessThanOrEqual(dayMs + 60_000);
          expect(aheadMs).toBeLessThan(wheelMs);
          expect(nextPassAt(id, next).getTime() - next.getTime()).toBe(dayMs);
        },
      ),
    );
  });

  it('is not that of all segments at once', () => {
    const from = new Date();
    const times = Array.from({ length: 50 }, () => nextPassAt(newId(), from).getTime());
    expect(new Set(times).size).toBeGreaterThan(40);
  });
});

it('counting an untracked segment takes at most a hundredth of the time', () => {
  const from = new Date();
  expect(nextCountAt(20, from).getTime() - from.getTime()).toBe(300_000);
  expect(nextCountAt(30_000, from).getTime() - from.getTime()).toBe(3_000_000);
});

it('what is not reported contact by contact is known by what a condition reads', () => {
  expect(isReported(['data.plan', 'createdAt', 'event.buy', 'email.open', `segment.${newId()}`])).toBe(true);
  expect(isReported(['data.plan', 'email.unsubscribed'])).toBe(false);
  expect(isReported(['email.cancelled'])).toBe(false);
  expect(isReported(['topic.news'])).toBe(false);
});
