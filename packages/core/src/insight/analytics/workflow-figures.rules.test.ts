import { describe, expect, it } from 'vitest';
import { executionFiguresOf, medianOf, stepFiguresOf } from './workflow-figures.rules.ts';

const none = { outcome: '', spent: 0, entered: 0, left: 0, failed: 0, blocked: 0 };

describe('the median of what a step took', () => {
  it.each<[string, { spent: number; left: number }[], number | null]>([
    ['nobody left', [], null],
    [
      'only corrections are left',
      [
        { spent: 5, left: -1 },
        { spent: 6, left: 1 },
      ],
      null,
    ],
    ['one', [{ spent: 60, left: 1 }], 60],
    [
      'half of them took no longer',
      [
        { spent: 90, left: 2 },
        { spent: 1, left: 2 },
      ],
      1,
    ],
    [
      'more than half took longer',
      [
        { spent: 90, left: 3 },
        { spent: 1, left: 2 },
      ],
      90,
    ],
  ])('%s', (_name, rows, expected) => {
    expect(medianOf(rows)).toBe(expected);
  });
});

it('branches have a share of those who took one, most first', () => {
  const rows = [
    { ...none, entered: 9 },
    { ...none, outcome: 'no', left: 1 },
    { ...none, outcome: 'no', spent: 60, left: 1 },
    { ...none, outcome: 'yes', left: 4 },
    { ...none, outcome: 'gone', left: 0 },
    { ...none, failed: 3 },
  ];
  expect(stepFiguresOf(rows)).toEqual({
    entered: 9,
    left: 6,
    failed: 3,
    medianSeconds: 0,
    branches: [
      { branch: 'yes', taken: 4, share: 66.67, converted: 0, value: 0 },
      { branch: 'no', taken: 2, share: 33.33, converted: 0, value: 0 },
    ],
  });
});

it('of reasons to exit the first 100 are named, and all others are one', () => {
  const named = Array.from({ length: 102 }, (_, n) => ({ ...none, outcome: `EXITED:r${n}`, left: 200 - n }));
  const { ended, exits } = executionFiguresOf([
    ...named,
    { ...none, outcome: 'EXITED:(other)', left: 500 },
    { ...none, outcome: 'COMPLETED', left: 7 },
    { ...none, outcome: 'limit', blocked: 2 },
  ]);
  expect(exits).toHaveLength(101);
  expect(exits[0]).toEqual({ name: 'r0', count: 200 });
  expect(exits.at(-1)).toEqual({ name: '(other)', count: 500 + 100 + 99 });
  expect(ended).toEqual({
    completed: 7,
    exited: exits.reduce((sum, { count }) => sum + count, 0),
    failed: 0,
    cancelled: 0,
  });
});
