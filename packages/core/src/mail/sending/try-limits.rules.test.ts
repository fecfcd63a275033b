import { expect, it } from 'vitest';
import { tryLimits } from './try-limits.rules.ts';

const hour = 3_600_000;
const noon = Date.UTC(2026, 5, 1, 12);
const at = (...hours: number[]): number[] => hours.map((after) => noon + after * hour);
const limits = { caps: [{ max: 1, hours: 24 }], quietHours: null, waitHours: 48 };

it('what comes too soon waits for those before it, and what waited for too long is not sent', () => {
  expect(tryLimits(limits, 'UTC', at(0, 24, 48))).toEqual({ held: 0, skipped: 0 });
  // At 24, 48 and 72: the last one would wait for more than two days.
  expect(tryLimits(limits, 'UTC', at(0, 1, 2, 3))).toEqual({ held: 2, skipped: 1 });
  expect(tryLimits({ ...limits, waitHours: 0 }, 'UTC', at(0, 1, 2, 25))).toEqual({ held: 0, skipped: 2 });
});

it('all caps hold', () => {
  const caps = [
    { max: 2, hours: 1 },
    { max: 3, hours: 24 },
  ];
  expect(tryLimits({ ...limits, caps }, 'UTC', at(0, 0.1, 0.2, 0.3))).toEqual({ held: 2, skipped: 0 });
});

it('quiet hours hold in the zone, and skip nothing by themselves', () => {
  const quiet = { caps: [], quietHours: { from: '22:00', to: '08:00' }, waitHours: 0 };
  expect(tryLimits(quiet, 'UTC', at(0, 1))).toEqual({ held: 0, skipped: 0 });
  // There it is 21:00, and 22:00 is quiet.
  expect(tryLimits(quiet, 'Asia/Tokyo', at(0, 1))).toEqual({ held: 1, skipped: 0 });
  expect(tryLimits(quiet, 'Pacific/Auckland', at(0, 1))).toEqual({ held: 2, skipped: 0 });
});
