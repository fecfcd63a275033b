/** The part of this area for all sides, browsers included: schemas, enums, limits and pure rules. */

export * from './definitions/ends.rules.ts';
export { stepsBefore } from './definitions/trees.rules.ts';
export * from './entries/entry.rules.ts';
export * from './entries/entry.schema.ts';
export * from './executions.schema.ts';
export * from './exit-reasons.rules.ts';
export * from './figure-outcomes.rules.ts';
export type { Recipe } from './recipes/recipe.rules.ts';
export * from './recipes/recipes.rules.ts';
export * from './simulate/simulate.schema.ts';
export * from './steps/condition.step.ts';
export * from './steps/delay.step.ts';
export * from './steps/exit.step.ts';
export * from './steps/send-email.step.ts';
export * from './steps/split.step.ts';
export * from './steps/step.rules.ts';
export * from './steps/steps.schema.ts';
export * from './steps/trigger.step.ts';
export * from './steps/update-contact.step.ts';
export * from './steps/wait-for-event.step.ts';
export * from './steps/webhook.step.ts';
export * from './triggers/contact.trigger.ts';
export * from './triggers/trigger.rules.ts';
export * from './triggers/triggers.schema.ts';
export * from './workflow-reference.schema.ts';
export * from './workflows.rules.ts';
export * from './workflows.schema.ts';
