import { z } from 'zod';
import {
  cursorListOf,
  cursorQuery,
  isoDate,
  jobOf,
  namedEnum,
  notGiven,
  typeNames,
} from '../../../base/kernel/schemas.ts';
import { auditActor } from '../../../people/audit/audit.schema.ts';
import { changeKinds } from '../definitions/difference.rules.ts';
import { workflowReference } from '../workflow-reference.schema.ts';
import { definitionShape, workflowShape } from '../workflows.schema.ts';
import { timerRules } from './move.rules.ts';

const workflowId = workflowReference;

const count = (description: string, example: number) =>
  z
    .int()
    .min(0)
    .meta({ description, examples: [example] });

export const versionNumber = z.int().min(1).max(2_147_483_647);

export const listWorkflowVersionsInput = z.object({ id: workflowId, ...cursorQuery });

export const workflowVersionInput = z.object({
  id: workflowId,
  version: z
    .preprocess(
      (value) => (typeof value === 'string' && /^\d{1,10}$/.test(value) ? Number(value) : value),
      versionNumber,
    )
    .meta({ description: 'Number of the version.', examples: [3] }),
});

const versionFields = {
  version: z
    .int()
    .min(1)
    .meta({ description: 'Number of the version.', examples: [3] }),
  note: z
    .string()
    .nullable()
    .meta({ description: 'What whoever published it said of it.', examples: ['Reminder after two days'] }),
  author: auditActor.nullable().describe('Who published it.'),
  publishedAt: isoDate.describe('When it was published.'),
  live: z.boolean().describe('Whether new executions begin with it.'),
  entered: count('Executions that began with it.', 120),
  active: count('Of these, those that have not ended.', 14),
  movedTo: z
    .int()
    .nullable()
    .meta({ description: 'Version that its executions go on by; null: this one.', examples: [null] }),
};

export const listedWorkflowVersion = z
  .object(versionFields)
  .register(typeNames, { name: 'ListedWorkflowVersion' });

export const workflowVersion = z
  .object({ ...versionFields, definition: definitionShape.describe('What it decides.') })
  .register(typeNames, { name: 'WorkflowVersion' });

export const workflowVersions = cursorListOf(listedWorkflowVersion);

export const moveNames = ['NEW', 'ALL'] as const;

/** Keys of steps are short, so that a request names at most all steps of a definition. */
const stepKey = z.string().max(60);

export const publishInput = z.object({
  id: workflowId,
  version: notGiven(versionNumber).meta({
    description: 'An earlier version whose definition is published again. Without it the draft is published.',
    examples: [3],
  }),
  note: notGiven(z.string().trim().max(500)).meta({
    description: 'What changes, for the team, at most 500 characters.',
    examples: ['Reminder after two days'],
  }),
  move: notGiven(namedEnum('WorkflowMove', moveNames)).describe(
    'Whose executions go on by it: `NEW`, which is the default, only those that begin from now on; `ALL` also those of all older versions.',
  ),
  removed: notGiven(z.record(stepKey, stepKey)).meta({
    description:
      'With `ALL`, by the key of a step that is gone: where people go who are there, `EXIT` or the key of another step.',
    examples: [{ 'wait-a-day': 'EXIT' }],
  }),
  timers: notGiven(namedEnum('WorkflowTimers', timerRules)).describe(
    'With `ALL`, what becomes of people who wait at a step with another time: `KEEP`, which is the default, keeps the time that was told; `RECOMPUTE` computes it as if the step had been so when they came to it.',
  ),
  ifUpdatedAt: notGiven(z.iso.datetime()).meta({
    description:
      '`updatedAt` of the draft that was looked at, or of the workflow if it has none. If it has changed since, the request is 409.',
    examples: ['2026-03-01T09:30:00.000Z'],
  }),
});

export const published = z
  .object({
    workflow: workflowShape.describe('The workflow.'),
    version: z
      .int()
      .min(1)
      .meta({ description: 'Number of the new version.', examples: [4] }),
    moved: count('Executions whose place or time is rewritten.', 12),
    jobId: z
      .string()
      .nullable()
      .meta({
        description: 'Job that rewrites them; null when there are none.',
        examples: ['0198c1a4-7d1e-7b3a-9c55-2f6d8e4b1a90'],
      }),
  })
  .register(typeNames, { name: 'WorkflowPublication' });

export const publishPreview = z
  .object({
    changes: z
      .array(
        z.object({
          kind: namedEnum('WorkflowChangeKind', changeKinds).describe(
            'What changes: a step is added, removed, changed or leads elsewhere; the trigger, or who may enter.',
          ),
          stepKey: z
            .string()
            .nullable()
            .meta({ description: 'Key of the step; null for others.', examples: ['welcome'] }),
          fields: z
            .array(z.string())
            .meta({ description: 'Fields that differ.', examples: [['config.amount']] }),
          people: count('People at the step now.', 12),
        }),
      )
      .describe('Differences to the live version.'),
    active: count('Active executions.', 87),
    versions: z
      .array(
        z.object({
          version: z.int().meta({ description: 'Number of the version.', examples: [3] }),
          active: count('Active executions that began with it.', 14),
        }),
      )
      .describe('Active executions by the version that they began with.'),
    needed: z.array(z.string()).meta({
      description: 'Keys of steps with people that it does not have, and that `removed` does not name.',
      examples: [[]],
    }),
    problems: z
      .array(
        z.object({
          field: z.string().meta({ description: 'The field.', examples: ['steps.welcome.templateId'] }),
          code: z.string().meta({ description: 'What is wrong.', examples: ['required'] }),
          message: z.string().meta({ description: 'The same in words.', examples: ['Required'] }),
        }),
      )
      .describe('What refuses to publish it.'),
    findings: z
      .array(
        z.object({
          rule: z.string().meta({ description: 'What was found.', examples: ['postal_address_missing'] }),
          stepKey: z.string().meta({ description: 'Key of the step.', examples: ['welcome'] }),
          message: z.string().meta({
            description: 'The same in words.',
            examples: ['Many countries require a postal address in marketing email'],
          }),
        }),
      )
      .describe('What to look at before it is published. It refuses nothing.'),
  })
  .register(typeNames, { name: 'WorkflowPublishPreview' });

export const workflowJobInput = z.object({
  id: workflowId,
  jobId: z.string().meta({ description: 'Id of the job, from the reply that started it.', format: 'uuid' }),
});

export const workflowJob = jobOf(
  z
    .object({
      matched: count('Executions, or contacts, that were looked at or that matched.', 12),
      changed: count('Of these, those that were changed: moved, cancelled, retried, or let in.', 12),
      cancelled: count('Of a cancellation: executions that were still active.', 12).optional(),
      retried: count('Of a retry: executions that go on.', 12).optional(),
      entered: count('Of entries: contacts that have entered.', 10).optional(),
      notFound: count('Of entries: contacts that do not exist.', 0).optional(),
      blocked: z
        .object({
          active: count('Whose contact is in the workflow, by another execution.', 1),
          gone: count('Of a retry: whose step is gone from the version that they would run.', 0).optional(),
          filter: count('Of entries: contacts that do not match the filter of the workflow.', 0).optional(),
          again: count(
            'Of entries: contacts that have been in the workflow, which allows no re-entry.',
            1,
          ).optional(),
          limit: count('Of entries: contacts that have entered as often as they may.', 0).optional(),
          every: count('Of entries: contacts whose last entry is not long enough ago.', 0).optional(),
        })
        .register(typeNames, { name: 'WorkflowJobBlocked' })
        .optional()
        .describe(
          'Of a retry: executions that stay failed. Of entries: contacts that a rule of the workflow has kept out.',
        ),
    })
    .register(typeNames, { name: 'WorkflowJobResult' }),
).register(typeNames, { name: 'WorkflowJob' });
