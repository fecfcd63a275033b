import { setEventInterests } from '../../audience/events/index.ts';
import { command, emptyObject, projectIdOf } from '../../base/kernel/index.ts';
import { goalNotFound } from './goal-not-found.ts';
import { goalIdInput } from './goals.schema.ts';
import { assertNotUsed, lockGoal, lockGoals, markDeleted } from './goals.store.ts';

export const deleteGoal = command({
  name: 'goals.delete',
  summary: 'Deletes an unused goal with its conversions',
  permission: 'data:write',
  risk: 'large',
  errors: ['RESOURCE_NOT_FOUND', 'CONFLICT'],
  input: goalIdInput,
  output: emptyObject,
  async handler(ctx, { id }) {
    const projectId = projectIdOf(ctx);
    await lockGoals(ctx.db, projectId);
    const goal = await lockGoal(ctx.db, projectId, id);
    if (!goal) throw goalNotFound();
    await assertNotUsed(ctx.db, projectId, id);
    await setEventInterests(ctx.db, projectId, id, []);
    // Its conversions can be many: they are removed in the background.
    await markDeleted(ctx.db, id);
    ctx.audit({ targetType: 'goal', targetId: id, name: goal.name });
    return {};
  },
});
