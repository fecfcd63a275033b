import { z } from 'zod';
import { eventName } from '../../../audience/events/events.schema.ts';
import { optionalEventWhere, storedEventWhere } from '../../../audience/segments/event-where.schema.ts';
import { type FilterTree, filterTree, storedFilterTree } from '../../../audience/segments/filters.schema.ts';
import {
  namedEnum,
  notGiven,
  recordId,
  requiredName,
  typeNames,
  uuid,
} from '../../../base/kernel/schemas.ts';
import {
  type EventExit,
  type ExitRule,
  goalEffects,
  mostExitRules,
  mostWorkflowGoals,
  type WorkflowGoal,
} from './ends.rules.ts';

const goalEffect = namedEnum('WorkflowGoalEffect', goalEffects);

const effectText =
  '`MEASURE` counts who reaches the goal; `EXIT` also ends the execution; `JUMP` has it go on at another step.';
const stepKeyMeta = {
  description: 'Key of the step where a `JUMP` goes on; absent for other effects.',
  examples: ['thanks'],
};
const exitName = {
  description: 'Name of the rule, which is the reason of exits by it.',
  examples: ['Has paid'],
};
const exitEvent = { description: 'Event that ends the execution.', examples: ['order.paid'] };
const whereText = 'Conditions on the data of the event, all of which must hold.';
const conditionText =
  'Filter tree that is evaluated before each SEND_EMAIL, WEBHOOK and UPDATE_CONTACT step. The execution ends where it holds.';

const workflowGoalShape = z
  .object({
    goalId: recordId.describe('Id of the goal.'),
    effect: goalEffect.describe(effectText),
    toStepKey: z.string().optional().meta(stepKeyMeta),
  })
  .register(typeNames, { name: 'WorkflowGoal' });

const exitRuleShape = z
  .object({
    name: z.string().meta(exitName),
    eventName: z.string().optional().meta(exitEvent),
    where: storedEventWhere.optional().describe(whereText),
    condition: storedFilterTree.optional().describe(conditionText),
  })
  .register(typeNames, { name: 'WorkflowExit' });

/** Goals and exit rules in replies. */
export const endsShape = {
  goals: z.array(workflowGoalShape).describe('Goals that are measured, or that end or move executions.'),
  exits: z.array(exitRuleShape).describe('Rules that end executions, wherever they are.'),
};

const complain = (ctx: z.RefinementCtx, path: (string | number)[], code: string, message: string): void => {
  ctx.addIssue({ code: 'custom', path, params: { code }, message });
};

/** What a JUMP needs and others must not have. */
export function refineJump(
  { effect, toStepKey }: { effect?: string | undefined; toStepKey?: string | undefined },
  ctx: z.RefinementCtx,
): void {
  if (effect === 'JUMP' && toStepKey === undefined) complain(ctx, ['toStepKey'], 'required', 'Required');
  if (effect !== 'JUMP' && toStepKey !== undefined)
    complain(ctx, ['toStepKey'], 'custom', 'Only a JUMP goes on at another step');
}

export const toStepKey = notGiven(z.string().max(60)).meta(stepKeyMeta);
export const effect = notGiven(goalEffect).describe(`${effectText} Default \`MEASURE\`.`);

const workflowGoal = z
  .object({ goalId: uuid.describe('Id of a goal of the project that is not archived.'), effect, toStepKey })
  .superRefine(refineJump)
  .transform(
    (given): WorkflowGoal => ({
      goalId: given.goalId,
      effect: given.effect ?? 'MEASURE',
      ...(given.toStepKey === undefined ? {} : { toStepKey: given.toStepKey }),
    }),
  );

/** An exit rule has an event or a condition. */
const exitRule = <Tree>(tree: z.ZodType<Tree>) =>
  z
    .object({
      name: requiredName(100).meta(exitName),
      eventName: notGiven(eventName).meta(exitEvent),
      where: notGiven(optionalEventWhere).describe(whereText),
      condition: notGiven(tree).describe(conditionText),
    })
    .superRefine(({ eventName: event, where, condition }, ctx) => {
      if (event === undefined && condition === undefined)
        complain(ctx, ['eventName'], 'required', 'Needs an event or a condition');
      if (event !== undefined && condition !== undefined)
        complain(ctx, ['condition'], 'custom', 'An exit rule has an event or a condition, not both');
      if (where !== undefined && event === undefined)
        complain(ctx, ['where'], 'custom', 'Only an event has conditions on its data');
    })
    .transform(
      ({ name, eventName: event, where = [], condition }): EventExit | { name: string; condition: Tree } =>
        condition === undefined
          ? { name, eventName: event ?? '', ...(where.length === 0 ? {} : { where }) }
          : { name, condition },
    );

const exitRules: z.ZodType<ExitRule[]> = z.array(exitRule<FilterTree>(filterTree)).max(mostExitRules);

/** The same in a document, whose conditions name segments by their slugs and are read when these are known. */
export const documentExits = z.array(exitRule<unknown>(storedFilterTree)).max(mostExitRules);

const workflowGoals = z
  .array(workflowGoal)
  .max(mostWorkflowGoals)
  .superRefine((goals, ctx) => {
    goals.forEach(({ goalId }, index) => {
      if (goals.findIndex((each) => each.goalId === goalId) < index)
        complain(ctx, [index, 'goalId'], 'custom', 'The workflow has this goal already');
    });
  });

/** Goals and exit rules in requests; each list is replaced whole. */
export const endsInput = {
  goals: notGiven(workflowGoals).describe(
    `Goals of the workflow, at most ${mostWorkflowGoals}. The list is replaced whole.`,
  ),
  exits: notGiven(exitRules).describe(
    `Rules that end executions, at most ${mostExitRules}. The list is replaced whole.`,
  ),
};
