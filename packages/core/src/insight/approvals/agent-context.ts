import type { Context, ProjectState, RequestInfo, Services } from '../../base/kernel/index.ts';
import { type ApprovalRow, findAgent } from './approvals.store.ts';
import { changedError } from './changed-error.ts';

/**
 * The context of the key that asked, for the call that a person agreed to.
 *
 * @throws AppError when the key works no longer
 */
export async function agentContext(
  services: Services,
  { actorId, projectId, decidedById }: ApprovalRow,
  project: ProjectState,
  request: Pick<RequestInfo, 'id' | 'ip'>,
): Promise<Context> {
  const named = await findAgent(services.database.prisma, projectId, actorId);
  if (!named) throw changedError('The key that asked works no longer');
  return {
    services,
    actor: { type: 'key', key: 'secret', projectId, named },
    project,
    request: { id: request.id, ip: request.ip, approvedBy: decidedById ?? 'nobody' },
    db: services.database.prisma,
  };
}
