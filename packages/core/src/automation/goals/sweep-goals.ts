import { plainTransaction } from '../../base/db/index.ts';
import type { Services } from '../../base/kernel/index.ts';
import { removeDeleted } from './goals.store.ts';

/** Removes what deleted goals have counted, and then the goals. @returns the number of rows */
export const sweepGoals = ({ database }: Services, _now: Date, limit: number): Promise<number> =>
  plainTransaction(database.durable, (db) => removeDeleted(db, limit));
