import { z } from 'zod';
import { stepType } from '../../automation/workflows/executions.schema.ts';
import { workflowReference } from '../../automation/workflows/workflow-reference.schema.ts';
import { notGiven, recordId, typeNames } from '../../base/kernel/schemas.ts';
import { count, period } from './analytics.schema.ts';
import { figures } from './breakdown.schema.ts';
import { lift } from './goals/goal-report.schema.ts';

const percent = (description: string, example: number) =>
  z
    .number()
    .min(0)
    .max(100)
    .meta({ description: `${description}, at most two decimals.`, examples: [example] });

export const workflowFiguresInput = z.object({
  id: workflowReference,
  ...period,
  version: notGiven(
    z.preprocess(
      (value) => (typeof value === 'string' && /^\d{1,10}$/.test(value) ? Number(value) : value),
      z.int().min(1).max(2_147_483_647),
    ),
  ).meta({
    description: 'Only executions that began with this version, and what it decided at its steps.',
    examples: [3],
  }),
});

const branchFigures = z
  .object({
    branch: z.string().meta({
      description: 'Id of the branch of a CONDITION or SPLIT step, or outcome of a WAIT_FOR_EVENT step.',
      examples: ['yes'],
    }),
    taken: count('Executions that took it.', 30),
    share: percent('Executions that took it, in percent of those that took a branch of the step', 75),
    converted: count('Of these executions, those that reached the first goal of the workflow.', 0),
    value: z.number().meta({ description: 'Sum of the values of these goals.', examples: [0] }),
  })
  .register(typeNames, { name: 'WorkflowBranchFigures' });

const stepFigures = z
  .object({
    stepKey: z.string().meta({ description: 'Key of the step.', examples: ['wait-a-day'] }),
    name: z.string().meta({ description: 'Name of the step.', examples: ['Wait a day'] }),
    type: stepType.describe('Type of the step.'),
    entered: count('Executions that came to the step.', 120),
    left: count('Executions that went on from it.', 100),
    failed: count('Executions that failed at it.', 2),
    here: count('Executions that are at it now, whenever they came.', 18),
    medianSeconds: z
      .int()
      .nullable()
      .meta({
        description:
          'How long those that went on had been at it, in seconds: half of them for no longer. Null if there are none.',
        examples: [86_400],
      }),
    branches: z.array(branchFigures).describe('The branches that were taken, most first.'),
    email: z
      .object(figures)
      .register(typeNames, { name: 'WorkflowEmailFigures' })
      .optional()
      .describe('The emails of the step, with `version` those that it decided; only of SEND_EMAIL steps.'),
  })
  .register(typeNames, { name: 'WorkflowStepFigures' });

export const workflowFigures = z
  .object({
    entered: count('Executions that began.', 120),
    blocked: z
      .object({
        filter: count('Entries that the filter of the entry rules left out.', 0),
        active: count('Entries of contacts who were in the workflow.', 4),
        again: count('Entries of contacts who had been in it, where none enters twice.', 0),
        limit: count('Entries of contacts who had entered as often as is allowed.', 0),
        every: count('Entries that came too soon after the one before.', 0),
      })
      .register(typeNames, { name: 'WorkflowBlockedEntries' })
      .describe('Entries by events, dates and schedules that were blocked, by the rule.'),
    active: count('Executions that have not ended, whenever they began.', 18),
    ended: z
      .object({
        completed: count('Executions that came to an end of the workflow.', 80),
        exited: count('Executions that an EXIT step, a rule or a change of the workflow ended.', 15),
        failed: count('Executions that failed.', 2),
        cancelled: count('Executions that were cancelled.', 1),
      })
      .register(typeNames, { name: 'WorkflowEndedFigures' })
      .describe('Executions that ended in the period.'),
    exits: z
      .array(
        z
          .object({
            name: z.string().meta({ description: 'Why: `exitReason`.', examples: ['exit_step'] }),
            count: count('Executions that ended for it.', 15),
          })
          .register(typeNames, { name: 'WorkflowExitFigures' }),
      )
      .describe(
        'Executions that exited in the period by why, most first; at most 100 reasons, and all others as `(other)`.',
      ),
    steps: z
      .array(stepFigures)
      .describe(
        'The steps as they are walked through; steps of other versions follow, if somebody came to them.',
      ),
    goals: z
      .array(
        z
          .object({
            goalId: recordId.describe('Id of the goal.'),
            name: z.string().meta({ description: 'Name of the goal.', examples: ['Order'] }),
            converted: count('Executions that reached it.', 12),
            rate: percent('Executions that reached it, in percent of those that began', 10),
            value: z.number().meta({ description: 'Sum of its values.', examples: [480] }),
            lift: lift
              .optional()
              .describe('What its emails change, by a SPLIT with a holdout; absent without one.'),
          })
          .register(typeNames, { name: 'WorkflowGoalFigures' }),
      )
      .describe('The goals of the workflow.'),
    days: z
      .array(
        z
          .object({
            bucket: z
              .string()
              .meta({ description: 'The day in the time zone of the request.', examples: ['2026-03-01'] }),
            entered: count('Executions that began.', 12),
            ended: count('Executions that ended, however.', 10),
            failed: count('Of these, those that failed.', 0),
          })
          .register(typeNames, { name: 'WorkflowDayFigures' }),
      )
      .describe('The days of the period, oldest first, also those without any execution.'),
  })
  .register(typeNames, { name: 'WorkflowFigures' });
