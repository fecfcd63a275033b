import type { SqlConstants } from '../../base/db/index.ts';

/** For how long an email keeps its place among those that wait, after the time at which it stops waiting: its claim comes a little later. */
export const constants: SqlConstants = { graceMs: 600_000 };
