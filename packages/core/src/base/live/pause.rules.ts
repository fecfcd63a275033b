/** In milliseconds. */
export interface Pauses {
  /** from one look of a stream to its next, however much changes meanwhile */
  afterLook: number;
  /** from a change to the look at it */
  afterChange: number;
}

/** The shortest time between two looks of a stream, in milliseconds. */
const leastMs = 250;
/** The shortest time between two looks of all streams of one owner, in milliseconds: a look may cost as much as a large query. */
const perStreamMs = 50;

/**
 * @param streams of one owner in this process
 * @param chance from 0 to 1: many streams that one change wakes do not look at the same time
 */
export function pausesOf(streams: number, chance: number): Pauses {
  const shared = streams * perStreamMs;
  return shared <= leastMs
    ? { afterLook: leastMs, afterChange: 0 }
    : { afterLook: shared, afterChange: shared * chance };
}
