import { query } from '../../base/kernel/index.ts';
import { requireMembership } from '../../people/projects/index.ts';
import { removalInput, resetState } from './removal.schema.ts';
import { findLatestReset } from './removal.store.ts';

export const getResetState = query({
  name: 'projects.resetState',
  summary: 'Returns the progress of the latest reset of a project; null if it was never reset',
  permission: 'account',
  errors: ['PROJECT_ACCESS_DENIED', 'FORBIDDEN'],
  input: removalInput,
  output: resetState,
  async handler(ctx, { id }) {
    await requireMembership(ctx, id, ['OWNER', 'ADMIN']);
    const reset = await findLatestReset(ctx.db, id);
    return (
      reset && {
        running: reset.completedAt === null,
        progress: reset.progress,
        startedAt: reset.createdAt,
      }
    );
  },
});
