import { setEventInterests } from '../../audience/events/index.ts';
import { command, projectIdOf } from '../../base/kernel/index.ts';
import { newId } from '../../base/lib/index.ts';
import { createGoalInput, goalRecord } from './goals.schema.ts';
import { assertRoom, insertGoal, lockGoals, presentGoal } from './goals.store.ts';

export const createGoal = command({
  name: 'goals.create',
  summary: 'Creates a goal, which counts events from now on',
  permission: 'data:write',
  risk: 'none',
  errors: ['CONFLICT'],
  input: createGoalInput,
  output: goalRecord,
  async handler(ctx, { where = [], value = null, attribution = 'CLICK', windowDays = 7, ...given }) {
    const projectId = projectIdOf(ctx);
    await lockGoals(ctx.db, projectId);
    await assertRoom(ctx.db, projectId, given.name, null);
    const goal = await insertGoal(ctx.db, {
      ...given,
      id: newId(),
      projectId,
      conditions: where,
      valueProperty: value?.property ?? null,
      valueCurrency: value?.currency ?? null,
      attribution,
      windowDays,
    });
    await setEventInterests(ctx.db, projectId, goal.id, [goal.eventName]);
    ctx.audit({ targetType: 'goal', targetId: goal.id });
    return presentGoal(goal);
  },
});
