import { cursorsOf, projectIdOf, query } from '../../base/kernel/index.ts';
import { goalList, listGoalsInput } from './goals.schema.ts';
import { countGoals, pageOfGoals, presentGoal } from './goals.store.ts';

export const listGoals = query({
  name: 'goals.list',
  summary: 'Lists goals, newest first',
  permission: 'data:read',
  errors: ['BAD_REQUEST'],
  input: listGoalsInput,
  output: goalList,
  async handler(ctx, input) {
    const projectId = projectIdOf(ctx);
    const cursors = cursorsOf('goals.list', input);
    const after = cursors.after();
    const search = { archived: input.archived };
    const rows = await pageOfGoals(ctx.db, projectId, search, { after, take: input.limit + 1 });
    const total = after ? 0 : await countGoals(ctx.db, projectId, search);
    return cursors.page(rows.map(presentGoal), ({ createdAt }) => createdAt, total);
  },
});
