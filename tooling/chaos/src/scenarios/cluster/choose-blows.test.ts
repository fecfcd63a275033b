import { createRandom } from '@postrider/harness/random';
import { expect, it } from 'vitest';
import { blowsEach, chooseBlows } from './choose-blows.ts';

const all = Array.from({ length: 31 }, (_, index) => `blow ${index}`);
const chosenBy = (seed: number): string[] => chooseBlows(all, seed, createRandom(seed));

it('a run has different blows, the same for the same seed', () => {
  const chosen = chosenBy(7);
  expect(new Set(chosen).size).toBe(blowsEach);
  expect(chosenBy(7)).toEqual(chosen);
});

it('seeds that follow each other go through all blows', () => {
  for (const first of [1, 12, 1_000])
    expect(new Set([0, 1, 2, 3].flatMap((next) => chosenBy(first + next))).size).toBe(all.length);
});
