import { createGoal, deleteGoal, getGoal, listGoals, updateGoal } from '@postrider/core/automation/goals';
import { getGoalReport } from '@postrider/core/insight/analytics';
import { asMutation, asQuery, t } from './trpc.ts';

export const goalsRouter = t.router({
  list: asQuery(listGoals),
  get: asQuery(getGoal),
  create: asMutation(createGoal),
  update: asMutation(updateGoal),
  delete: asMutation(deleteGoal),
  getReport: asQuery(getGoalReport),
});
