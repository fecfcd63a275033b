export {
  type CountedConversion,
  type CountedGoal,
  countConversions,
  goalsById,
  goalValue,
} from './conversions.store.ts';
export { createGoal } from './create-goal.ts';
export { deleteGoal } from './delete-goal.ts';
export { getGoal } from './get-goal.ts';
export { goalNotFound } from './goal-not-found.ts';
export {
  findGoal,
  findGoals,
  findGoalsByName,
  keepGoals,
  presentGoal,
  whereOf,
} from './goals.store.ts';
export { listGoals } from './list-goals.ts';
export { sweepGoals } from './sweep-goals.ts';
export { updateGoal } from './update-goal.ts';
