import type { Services } from '@postrider/core/base/kernel';
import { expect, it } from 'vitest';
import { allOf } from './all-of.ts';
import { createActivities } from './compose.ts';

it('an activity of one area does not replace that of another with its name', () => {
  const one = { changeBatch: () => true };
  expect(() => allOf(one, { changeBatch: () => false })).toThrow('changeBatch');
  expect(allOf(one, { other: 1 })).toEqual({ ...one, other: 1 });
});

it('the activities of the control queue have names of their own', () => {
  const nothing = {} as Services;
  const drivers = {} as Parameters<typeof createActivities>[2];
  const config = { overdueSeconds: 60, delivery: { leaseMs: 1_000 } } as Parameters<
    typeof createActivities
  >[3];
  const activities = createActivities(nothing, { align: async () => undefined }, drivers, config);
  expect(Object.keys(activities)).toEqual(expect.arrayContaining(['changeBatch', 'changeExecutionsBatch']));
});
