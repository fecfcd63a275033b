import { setEventInterests } from '../../audience/events/index.ts';
import { command, projectIdOf } from '../../base/kernel/index.ts';
import { goalNotFound } from './goal-not-found.ts';
import { goalRecord, updateGoalInput } from './goals.schema.ts';
import { assertNotUsed, assertRoom, changeGoal, lockGoal, lockGoals, presentGoal } from './goals.store.ts';

export const updateGoal = command({
  name: 'goals.update',
  summary: 'Renames or archives a goal; what it counts does not change',
  permission: 'data:write',
  risk: 'none',
  errors: ['RESOURCE_NOT_FOUND', 'CONFLICT'],
  input: updateGoalInput,
  output: goalRecord,
  async handler(ctx, { id, name, archived }) {
    const projectId = projectIdOf(ctx);
    await lockGoals(ctx.db, projectId);
    const before = await lockGoal(ctx.db, projectId, id);
    if (!before) throw goalNotFound();
    const after = { name: name ?? before.name, archived: archived ?? before.archived };
    // An exit of a workflow would stop without anybody being told.
    if (after.archived && !before.archived) await assertNotUsed(ctx.db, projectId, id);
    if (!after.archived) await assertRoom(ctx.db, projectId, after.name, id);
    const goal = await changeGoal(ctx.db, id, after);
    await setEventInterests(ctx.db, projectId, id, goal.archived ? [] : [goal.eventName]);
    ctx.audit({
      targetType: 'goal',
      targetId: id,
      changed: [
        ...(after.name === before.name ? [] : ['name']),
        ...(after.archived === before.archived ? [] : ['archived']),
      ],
    });
    return presentGoal(goal);
  },
});
