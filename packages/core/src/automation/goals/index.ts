export {
  type CountedGoal,
  countConversions,
  goalsById,
  goalValue,
} from './conversions.store.ts';
export type { CountedConversion } from './counted-conversion.ts';
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
export { countConversionsOf, pageOfConversions } from './list-conversions.store.ts';
export { listGoals } from './list-goals.ts';
export {
  type CampaignConversions,
  conversionsOfCampaigns,
  removeRecipients,
  valuesOfEmails,
} from './recipient-conversions.store.ts';
export { sweepGoals } from './sweep-goals.ts';
export { updateGoal } from './update-goal.ts';
