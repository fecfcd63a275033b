import { createGoal, deleteGoal, getGoal, listGoals, updateGoal } from '@postrider/core/automation/goals';
import { getGoalReport } from '@postrider/core/insight/analytics';
import { deletionField, mutationField, queryField, recordField } from './fields.ts';
import { connectionField } from './lists.ts';
import { objectFromZod } from './object-from-zod.ts';

const Goal = objectFromZod(getGoal.output);
const GoalReport = objectFromZod(getGoalReport.output);

recordField('goal', getGoal, Goal);
connectionField('goals', listGoals, Goal, ({ createdAt }) => createdAt);
queryField('goalReport', getGoalReport, GoalReport);
mutationField('createGoal', createGoal, Goal);
mutationField('updateGoal', updateGoal, Goal);
deletionField('deleteGoal', deleteGoal);
