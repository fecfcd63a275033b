import { expect, it } from 'vitest';
import { exceeding, type StepEnds } from './budget.rules.ts';

const step = (hour: [failed: number, visits: number], week = hour, stepKey = 'hook'): StepEnds => ({
  ...{ stepId: `id of ${stepKey}`, stepKey },
  hour: { failed: hour[0], visits: hour[1] },
  week: { failed: week[0], visits: week[1] },
});

it.each([
  ['49 failures and nothing else within an hour are too few', [49, 49], [49, 49], null],
  ['50 are enough', [50, 50], [50, 50], [50, 50]],
  ['half of 50 visits is enough', [25, 50], [25, 50], [25, 50]],
  ['less than half is not', [24, 50], [24, 50], null],
  ['20 failures that are older than an hour are enough', [0, 0], [20, 20], [20, 20]],
  ['19 are too few', [0, 0], [19, 19], null],
  ['and 19 of them with 10 more in this hour as well', [10, 10], [29, 29], null],
  ['95 percent is enough', [0, 0], [38, 40], [38, 40]],
  ['94 is not', [0, 0], [94, 100], null],
  ['what went well within the hour counts for the week', [0, 5], [20, 25], null],
] as const)('%s', (_, hour, week, expected) => {
  const found = exceeding([step([...hour], [...week])]);
  expect(found && [found.failed, found.visits]).toEqual(expected);
});

it('of several steps the one with most failures is named', () => {
  const found = exceeding([step([60, 60], [60, 60], 'a'), step([70, 90], [70, 90], 'b'), step([1, 90])]);
  expect(found).toEqual({ stepId: 'id of b', stepKey: 'b', failed: 70, visits: 90 });
  expect(exceeding([])).toBeNull();
});
