import type { SqlConstants } from '../../base/db/index.ts';

export const constants: SqlConstants = {
  /** For how long an email keeps its turn after the time at which it stops waiting: its claim comes a little later. */
  graceMs: 600_000,
  /** Emails of one contact that have a turn; the others ask again when one is expected. The row is written by every claim of such an email. */
  mostWaiting: 200,
};
