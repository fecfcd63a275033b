import { plainTransaction } from '../../db/index.ts';
import type { Services } from '../../kernel/index.ts';
import { beginStep, type ExecutionState, lockExecution, type StepExecutionRow } from './execution.store.ts';
import { isUnchanged } from './execution-state.ts';

/** Creates a step's row before its work. @returns null when the execution is no longer there */
export const beginAlone = (services: Services, state: ExecutionState): Promise<StepExecutionRow | null> =>
  plainTransaction(services.database.pool, async (db) => {
    const execution = await lockExecution(db, state);
    if (!execution || !state.step || !isUnchanged(execution, state)) return null;
    return beginStep(db, execution, state.step.id);
  });
