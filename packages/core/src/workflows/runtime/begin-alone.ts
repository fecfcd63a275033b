import { plainTransaction } from '../../db/index.ts';
import type { Services } from '../../kernel/index.ts';
import { beginStep, lockExecution, type Standing, type StepExecutionRow } from './execution.store.ts';
import { standsStill } from './stands-still.ts';

/** Makes a step's row before its work. @returns null when the execution no longer stands there */
export const beginAlone = (services: Services, standing: Standing): Promise<StepExecutionRow | null> =>
  plainTransaction(services.database.pool, async (db) => {
    const execution = await lockExecution(db, standing);
    if (!execution || !standing.step || !standsStill(execution, standing)) return null;
    return beginStep(db, execution, standing.step.id);
  });
