import { projectIdOf, query } from '../../base/kernel/index.ts';
import { goalNotFound } from './goal-not-found.ts';
import { goalIdInput, goalRecord } from './goals.schema.ts';
import { findGoal, presentGoal } from './goals.store.ts';

export const getGoal = query({
  name: 'goals.get',
  summary: 'Returns one goal',
  permission: 'data:read',
  errors: ['RESOURCE_NOT_FOUND'],
  input: goalIdInput,
  output: goalRecord,
  async handler(ctx, { id }) {
    const goal = await findGoal(ctx.db, projectIdOf(ctx), id);
    if (!goal) throw goalNotFound();
    return presentGoal(goal);
  },
});
