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
    if (!reset) return null;
    const { progress, createdAt: startedAt } = reset;
    const running = reset.completedAt === null;
    const waitsFor = await ctx.services.engine.holdUpOf(running && reset.removed === 0n);
    return { running, progress, waitsFor, startedAt };
  },
});
