import { expect, it } from 'vitest';
import { timeSpent } from './time-spent.rules.ts';

it('tells a time in its largest unit', () => {
  const seconds = [0, 1, 59, 60, 119, 120, 3_600, 7_200, 86_400, 129_600, 604_800];
  expect(seconds.map(timeSpent)).toEqual([
    'at once',
    '1 second',
    '59 seconds',
    '1 minute',
    '119 seconds',
    '2 minutes',
    '1 hour',
    '2 hours',
    '1 day',
    '36 hours',
    '7 days',
  ]);
});
