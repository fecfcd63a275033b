/** Pseudorandom numbers, the same for the same seed, so that a run can be repeated. */
export interface Random {
  /** At least 0, less than 1. */
  next(): number;
  /** A whole number, at least `from`, less than `to`. */
  whole(from: number, to: number): number;
  shuffle<T>(items: readonly T[]): T[];
}

/** Mulberry32: 32 bits of state, good enough to choose times. */
export function createRandom(seed: number): Random {
  let state = seed >>> 0;
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  return {
    next,
    whole: (from, to) => from + Math.floor(next() * (to - from)),
    shuffle(items) {
      return items
        .map((item) => ({ item, at: next() }))
        .toSorted((a, b) => a.at - b.at)
        .map(({ item }) => item);
    },
  };
}
