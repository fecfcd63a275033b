import type { Services } from '../../../base/kernel/index.ts';
import { changeExecutionsBatch } from './change-executions.ts';

/** Does what the worker does after the deletion of workflows of a project. */
export async function removedBehind(services: Services, projectId: string): Promise<void> {
  const where = { projectId, kind: 'remove-executions', state: { in: ['waiting', 'active'] } };
  for (const { id } of await services.database.prisma.job.findMany({ where }))
    while (await changeExecutionsBatch(services, id));
}
