import type { Services } from '../../../base/kernel/index.ts';
import { failExecution } from './advance-execution.ts';
import { beginRepeatedTurn, endRepeatedTurn } from './lost-turns.store.ts';
import type { TickResult } from './tick-result.ts';

/** Repeated turns in a row that are lost with their worker before an execution fails. */
const mostLost = 5;

/**
 * Runs a turn of an execution. A turn that is repeated is counted while it runs: one that never comes back took its worker down or
 * blocked it, and after `mostLost` of them the execution ends as FAILED instead of doing the same to the next worker. A
 * turn that fails with an error does not count, however often it is repeated.
 *
 * @param attempt 1 for the first, which costs nothing
 */
export async function takeGuardedTurn(
  services: Services,
  executionId: string,
  attempt: number,
  turn: () => Promise<TickResult>,
): Promise<TickResult> {
  if (attempt === 1) return turn();
  const { prisma } = services.database;
  const before = (await beginRepeatedTurn(prisma, executionId)) - 1;
  if (before >= mostLost) {
    const reason = `The worker was lost at least ${mostLost} times in a row while it ran this step`;
    services.log.error(
      { executionId, lost: before },
      'an execution failed because its turns were lost with their worker',
    );
    await failExecution(services, executionId, reason);
    return { kind: 'end' };
  }
  try {
    const result = await turn();
    await endRepeatedTurn(prisma, executionId, 0);
    return result;
  } catch (error) {
    // Without a database this turn counts as lost; the next one that completes resets the number.
    await endRepeatedTurn(prisma, executionId, before).catch((cause: unknown) =>
      services.log.warn({ err: cause, executionId }, 'a failed turn stays counted as lost'),
    );
    throw error;
  }
}
