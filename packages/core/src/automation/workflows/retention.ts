import { plainTransaction } from '../../base/db/index.ts';
import type { Services } from '../../base/kernel/index.ts';
import { findEndedBefore } from './retention.store.ts';
import { removeExecutions } from './runtime/set.store.ts';

const keptMs = 400 * 86_400_000;

/** Removes a batch of executions that ended 400 days ago (behaviour B8.5). Their entries stay, so that nobody enters again by it. @returns how many */
export const sweepExecutions = ({ database }: Services, now: Date, limit: number): Promise<number> =>
  plainTransaction(database.durable, async (db) => {
    const ids = await findEndedBefore(db, new Date(now.getTime() - keptMs), limit);
    await removeExecutions(db, ids);
    return ids.length;
  });
