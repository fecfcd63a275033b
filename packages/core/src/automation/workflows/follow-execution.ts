import type { z } from 'zod';
import { type Context, projectIdOf } from '../../base/kernel/index.ts';
import { isUuid } from '../../base/lib/index.ts';
import { follow, topics } from '../../base/live/index.ts';
import type { executionDetail } from './executions.schema.ts';
import { findWorkflowOfExecution } from './executions.store.ts';
import { getExecution } from './get-execution.ts';
import { partNotFound } from './not-found.ts';

/**
 * An execution with the steps it ran, now and after each change, until it has ended.
 *
 * @throws AppError as `getExecution` and `openStream` do
 */
export async function followExecution(
  ctx: Context,
  executionId: string,
): Promise<AsyncIterableIterator<z.output<typeof executionDetail>>> {
  const id = isUuid(executionId)
    ? await findWorkflowOfExecution(ctx.db, projectIdOf(ctx), executionId)
    : null;
  if (id === null) throw partNotFound('Execution');
  return follow(ctx, {
    topic: topics.execution(executionId),
    read: () => getExecution.run(ctx, { id, executionId }),
    isLast: ({ status }) => status !== 'RUNNING' && status !== 'WAITING',
  });
}
