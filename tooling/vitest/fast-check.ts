import { configureGlobal } from 'fast-check';

/**
 * fast-check with the same inputs in every run, so that a failing suite always means that a change broke something.
 * `PROPERTY_SEED=random` tries others (a failure prints its seed); `PROPERTY_SEED=<integer>` repeats a run.
 */
export { default } from 'fast-check';

const given = process.env.PROPERTY_SEED ?? '20260101';
if (given !== 'random') {
  const seed = Number(given);
  if (!Number.isInteger(seed))
    throw new TypeError(`PROPERTY_SEED: "${given}" is neither an integer nor "random"`);
  configureGlobal({ seed });
}
