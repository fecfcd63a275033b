import { plainTransaction } from '../../../base/db/index.ts';
import type { Services } from '../../../base/kernel/index.ts';
import { beginStep, countAttempt, type ExecutionState, lockExecution } from './execution.store.ts';
import { isUnchanged } from './execution-state.ts';

/**
 * Creates a step's row if needed and counts an attempt in it, before the attempt is made.
 *
 * @returns the row's id and the number of attempts, this one included; null when the execution is no longer there
 */
export const beginAttempt = (
  services: Services,
  state: ExecutionState,
): Promise<{ id: string; attempts: number } | null> =>
  plainTransaction(services.database.durable, async (db) => {
    const execution = await lockExecution(db, state);
    if (!execution || !state.step || !isUnchanged(execution, state)) return null;
    const { id, output } = await beginStep(db, execution, state.step.id);
    const before = output?.['attempts'];
    const attempts = (typeof before === 'number' ? before : 0) + 1;
    await countAttempt(db, id, attempts);
    return { id, attempts };
  });
