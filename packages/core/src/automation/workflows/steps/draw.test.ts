import { expect, it } from 'vitest';
import { newId } from '../../../base/lib/ids.ts';
import { branchOfDraw, drawOf } from './draw.ts';
import { splitStep } from './split.step.ts';

const step = '0198c0de-0000-7000-8000-000000000001';
const halves = (first: number) => [
  { id: 'a', percent: first },
  { id: 'b', percent: 100 - first },
];

it('draws as documented', () => {
  const draw = drawOf(step, '0198c0de-0000-7000-8000-00000000000a');
  expect(draw.toFixed(5)).toBe('0.10694');
  expect(branchOfDraw(draw, halves(10))).toBe('b');
  expect(branchOfDraw(draw, halves(11))).toBe('a');
});

it('gives each branch its share, and a branch of nothing nobody', () => {
  const branches = [{ id: 'none', percent: 0 }, ...halves(90)];
  const taken = { none: 0, a: 0, b: 0 };
  const contacts = 20_000;
  for (let n = 0; n < contacts; n += 1)
    taken[branchOfDraw(drawOf(step, newId()), branches) as keyof typeof taken] += 1;
  expect(taken.none).toBe(0);
  // Six standard deviations: a fair draw fails once in 500 million runs.
  expect(Math.abs(taken.a - 0.9 * contacts)).toBeLessThan(6 * Math.sqrt(contacts * 0.09));
});

it('draws at another step anew', () => {
  const contacts = Array.from({ length: 4_000 }, newId);
  const other = newId();
  const both = contacts.filter((id) => drawOf(step, id) < 0.5 && drawOf(other, id) < 0.5);
  expect(Math.abs(both.length - 1_000)).toBeLessThan(6 * Math.sqrt(4_000 * 0.1875));
});

it.each([
  ['one branch', [{ id: 'a', name: 'A', percent: 100 }], {}, 'branches'],
  [
    'shares of 99',
    [
      { id: 'a', name: 'A', percent: 49 },
      { id: 'b', name: 'B', percent: 50 },
    ],
    {},
    'branches',
  ],
  [
    'a share of 0.5',
    [
      { id: 'a', name: 'A', percent: 0.5 },
      { id: 'b', name: 'B', percent: 99.5 },
    ],
    {},
    'branches.0.percent',
  ],
  [
    'two branches of one id',
    [
      { id: 'a', name: 'A', percent: 50 },
      { id: 'a', name: 'B', percent: 50 },
    ],
    {},
    'branches.1.id',
  ],
  [
    'a holdout that is no branch',
    [
      { id: 'a', name: 'A', percent: 50 },
      { id: 'b', name: 'B', percent: 50 },
    ],
    { holdout: 'c' },
    'holdout',
  ],
])('refuses %s', (_what, branches, more, field) => {
  const paths = splitStep.config
    .safeParse({ branches, ...more })
    .error?.issues.map(({ path }) => path.join('.'));
  expect(paths).toContain(field);
});
