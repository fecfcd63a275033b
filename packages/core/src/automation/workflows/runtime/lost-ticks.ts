import type { Services } from '../../../base/kernel/index.ts';
import { failExecution } from './advance-execution.ts';
import { beginRepeatedTick, endRepeatedTick } from './lost-ticks.store.ts';
import type { TickResult } from './tick-result.ts';

/** Repeated ticks in a row that are lost with their worker before an execution fails. */
const mostLost = 5;

/**
 * Runs a tick of an execution. A tick that is repeated is counted while it runs: one that never comes back took its worker down or
 * blocked it, and after `mostLost` of them the execution ends as FAILED instead of doing the same to the next worker. A
 * tick that fails with an error does not count, however often it is repeated.
 *
 * @param attempt 1 for the first, which costs nothing
 */
export async function takeGuardedTick(
  services: Services,
  executionId: string,
  attempt: number,
  tick: () => Promise<TickResult>,
): Promise<TickResult> {
  if (attempt === 1) return tick();
  const { prisma } = services.database;
  const before = (await beginRepeatedTick(prisma, executionId)) - 1;
  if (before >= mostLost) {
    const reason = `The worker was lost at least ${mostLost} times in a row while it ran this step`;
    services.log.error(
      { executionId, lost: before },
      'an execution failed because its ticks were lost with their worker',
    );
    await failExecution(services, executionId, reason);
    return { kind: 'end' };
  }
  try {
    const result = await tick();
    await endRepeatedTick(prisma, executionId, 0);
    return result;
  } catch (error) {
    // Without a database this tick counts as lost; the next one that completes resets the number.
    await endRepeatedTick(prisma, executionId, before).catch((cause: unknown) =>
      services.log.warn({ err: cause, executionId }, 'a failed tick stays counted as lost'),
    );
    throw error;
  }
}
