import { command, emptyObject } from '../../base/kernel/index.ts';
import { accessDenied, requireMembership } from '../../people/projects/index.ts';
import { removeDataJob } from './removal.jobs.ts';
import { removalInput } from './removal.schema.ts';
import { markDeleted, startRemoval, stopDelivery } from './removal.store.ts';

/**
 * Deletes a project: from the commit on it does not exist for any key, member or public link, and delivery processes skip its email
 * when they claim it. What they hold is stopped before the reply; messages whose transfer has begun finish.
 */
export const deleteProject = command({
  name: 'projects.delete',
  summary: 'Deletes a project at once for every key and member; its data is removed in the background',
  permission: 'account',
  risk: 'closed',
  errors: ['PROJECT_ACCESS_DENIED', 'FORBIDDEN'],
  input: removalInput,
  output: emptyObject,
  async handler(ctx, { id: projectId }) {
    await requireMembership(ctx, projectId, ['OWNER', 'ADMIN']);
    if (!(await markDeleted(ctx.db, projectId))) throw accessDenied();
    await startRemoval(ctx.db, projectId, 'DELETE');
    ctx.audit({ targetType: 'project', targetId: projectId, projectId });
    ctx.afterCommit(() => stopDelivery(ctx.services.database.prisma, projectId));
    ctx.afterCommit(() => ctx.services.workflows.signal(removeDataJob, { projectId }));
    return {};
  },
});
