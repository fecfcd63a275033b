import { configureGlobal } from 'fast-check';

/**
 * fast-check with the same inputs in every run, so that a failing suite always means that a change broke something.
 * `PROPERTY_SEED=random` tries others (a failure prints its seed); `PROPERTY_SEED=<integer>` repeats a run. `PROPERTY_SCALE=10`
 * takes ten times as many inputs where a property says how many with `runs`.
 */
export { default } from 'fast-check';

const given = process.env.PROPERTY_SEED ?? '20260101';
if (given !== 'random') {
  const seed = Number(given);
  if (!Number.isInteger(seed))
    throw new TypeError(`PROPERTY_SEED: "${given}" is neither an integer nor "random"`);
  configureGlobal({ seed });
}

const scale = Number(process.env.PROPERTY_SCALE ?? 1);
if (!(scale > 0)) throw new TypeError('PROPERTY_SCALE: a number above 0');

/** How many inputs to take, where each needs a database or a mail server: few in the tests of a commit, more with `PROPERTY_SCALE`. */
export const runs = (count: number): number => Math.ceil(count * scale);
