import { createRandom, type Random } from '@postrider/harness/random';

/** How many blows a run has. */
export const blowsEach = 10;

/** Seeds that follow each other go through all blows by turns; the order within a run is of the seed as well. */
export function chooseBlows(all: readonly string[], seed: number, random: Random): string[] {
  // Blows of all kinds in every run.
  const mixed = createRandom(0).shuffle(all);
  const begin = (seed * blowsEach) % all.length;
  const chosen = [...mixed, ...mixed].slice(begin, begin + Math.min(blowsEach, all.length));
  return random.shuffle(chosen);
}
