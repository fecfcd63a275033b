import { z } from 'zod';
import { dataLimitBytes, isTooLarge } from '../../audience/contacts/contacts.rules.ts';
import { contactFilter, contactIdText, contactReference } from '../../audience/contacts/reference.schema.ts';
import {
  addressText,
  filterEnum,
  isoDate,
  namedEnum,
  notGiven,
  pageCounts,
  pageQuery,
  periodBound,
  queryBoolean,
  recordId,
  typeNames,
  uuid,
} from '../../base/kernel/schemas.ts';
import { stepType } from './steps/steps.schema.ts';
import { workflowReference } from './workflow-reference.schema.ts';

export { stepType };

export const executionStatus = namedEnum('ExecutionStatus', [
  'RUNNING',
  'WAITING',
  'COMPLETED',
  'EXITED',
  'FAILED',
  'CANCELLED',
]);
export const stepStatus = namedEnum('StepStatus', [
  'PENDING',
  'SCHEDULED',
  'WAITING',
  'RUNNING',
  'COMPLETED',
  'SKIPPED',
  'FAILED',
]);

export const waitOutcome = namedEnum('WaitOutcome', ['EVENT', 'TIMEOUT']);

const nullableDate = isoDate.nullable();

const executionFields = {
  id: recordId.describe('Id of the execution.'),
  workflowId: recordId.describe('Id of the workflow.'),
  contactId: recordId.describe('Id of the contact.'),
  status: executionStatus.describe('State of the execution.'),
  currentStepId: recordId.nullable().describe('Step that it is at; null once it is over.'),
  exitReason: z
    .string()
    .nullable()
    .meta({ description: 'Why it left early or failed; null otherwise.', examples: [null] }),
  context: z.record(z.string(), z.unknown()).meta({
    description: 'Values for conditions and templates: the data of the event, or those given at the start.',
    examples: [{ plan: 'pro' }],
  }),
  version: z
    .int()
    .min(1)
    .nullable()
    .meta({
      description:
        'Version of the workflow that it began with; null for one that a service of an earlier release has begun.',
      examples: [4],
    }),
  retries: z
    .int()
    .min(0)
    .meta({ description: 'How often it was retried after a failure.', examples: [0] }),
  failedStepKey: z
    .string()
    .nullable()
    .meta({
      description: 'Of one that is FAILED, the key of the step that failed; null otherwise.',
      examples: [null],
    }),
  heldOut: z
    .boolean()
    .describe('Whether it took the holdout branch of a SPLIT step, and is compared with the others.'),
  sourceEventId: recordId.nullable().describe('Event that started it; null without one.'),
  startedAt: isoDate.describe('When it started.'),
  completedAt: nullableDate.describe('When it was over; null until then.'),
  createdAt: isoDate.describe('When it was created.'),
  updatedAt: isoDate.describe('When it last changed.'),
};

/** An execution in the form of the API (behaviour B2.6). */
export const executionShape = z.object(executionFields).register(typeNames, { name: 'Execution' });

const contactName = z
  .object({
    id: recordId.describe('Id of the contact.'),
    email: addressText.describe('Address of the contact.'),
  })
  .describe('The contact.');
const workflowName = z
  .object({
    id: recordId.describe('Id of the workflow.'),
    name: z.string().meta({ description: 'Name of the workflow.', examples: ['Onboarding'] }),
  })
  .describe('The workflow.');
export const stepName = z
  .object({
    id: recordId.describe('Id of the step.'),
    name: z.string().meta({ description: 'Name of the step.', examples: ['Wait a day'] }),
    type: stepType.describe('Type of the step.'),
  })
  .register(typeNames, { name: 'ExecutionStep' });
const currentStep = stepName.nullable().describe('Step that it is at; null once it is over.');

export const executionPage = z
  .object({
    executions: z
      .array(z.object({ ...executionFields, contact: contactName, currentStep }))
      .describe('The executions of this page, newest first.'),
    ...pageCounts,
  })
  .register(typeNames, { name: 'ExecutionPage' });

export const stepExecution = z
  .object({
    id: recordId.describe('Id of the step execution.'),
    executionId: recordId.describe('Id of the execution.'),
    stepId: recordId.describe('Id of the step.'),
    status: stepStatus.describe('State of the step.'),
    scheduledFor: nullableDate.describe('When the step goes on; null when it does not wait for a time.'),
    output: z
      .record(z.string(), z.unknown())
      .nullable()
      .meta({
        description: 'What the step produced; null when nothing.',
        examples: [{ emailId: '0198c1a4-7d1e-7b3a-9c55-2f6d8e4b1a90' }],
      }),
    error: z
      .string()
      .nullable()
      .meta({ description: 'Why the step failed; null unless it did.', examples: [null] }),
    version: z
      .int()
      .min(1)
      .nullable()
      .meta({
        description: 'Version of the workflow that decided it; null in a test.',
        examples: [4],
      }),
    failures: z
      .array(
        z.object({
          at: isoDate.describe('When it failed.'),
          error: z.string().meta({
            description: 'Why.',
            examples: ['The webhook failed after 5 attempts: the answer was 500'],
          }),
        }),
      )
      .meta({
        description: 'The newest 5 failures of the step, those before a retry included, newest first.',
        examples: [[]],
      }),
    startedAt: nullableDate.describe('When the step started; null until then.'),
    completedAt: nullableDate.describe('When the step was over; null until then.'),
    createdAt: isoDate.describe('When it was created.'),
    updatedAt: isoDate.describe('When it last changed.'),
    step: stepName.nullable().describe('The step; null once it is deleted.'),
  })
  .register(typeNames, { name: 'StepExecution' });

export const executionDetail = z
  .object({
    ...executionFields,
    workflow: workflowName,
    contact: contactName,
    currentStep,
    stepExecutions: z.array(stepExecution).describe('Steps that it took, in order of start.'),
  })
  .register(typeNames, { name: 'ExecutionDetail' });

const workflowId = workflowReference;

export const startExecutionInput = z.object({
  id: workflowId,
  contactId: contactReference.meta(contactIdText('The contact')),
  context: notGiven(
    z.record(z.string(), z.unknown()).refine((context) => !isTooLarge(JSON.stringify(context)), {
      params: { code: 'too_big' },
      message: `At most ${dataLimitBytes / 1024} KiB of JSON`,
    }),
  ).describe('Values for conditions and templates of this execution, at most 64 KiB of JSON.'),
});

export const testWorkflowInput = z.object({
  ...startExecutionInput.shape,
  definition: notGiven(namedEnum('WorkflowSide', ['live', 'draft'])).describe(
    'Which definition is tested: the live one, which is the default, or the draft.',
  ),
  waits: notGiven(waitOutcome).describe(
    'How its WAIT_FOR_EVENT steps end: by the event, which is the default, or by the timeout where there is one.',
  ),
});

export const workflowTest = z
  .object({
    status: executionStatus.describe(
      'How the execution would end: `COMPLETED`, `EXITED` or `FAILED`; `RUNNING` when the test took too long and was stopped.',
    ),
    exitReason: z
      .string()
      .nullable()
      .meta({ description: 'Why it would leave early or fail; null otherwise.', examples: [null] }),
    stepExecutions: z
      .array(stepExecution)
      .describe('The steps that it would take, in order. Their times take the waits into account.'),
  })
  .register(typeNames, { name: 'WorkflowTest' });

export const listExecutionsInput = z.object({
  id: workflowId,
  ...pageQuery,
  status: filterEnum('status', executionStatus).describe('Only executions in this state.'),
  version: notGiven(
    z.preprocess(
      (value) => (typeof value === 'string' && /^\d{1,10}$/.test(value) ? Number(value) : value),
      z.int().min(1).max(2_147_483_647),
    ),
  ).meta({ description: 'Only executions that began with this version.', examples: [3] }),
  stepKey: notGiven(z.string().max(60)).meta({
    description:
      'Only executions whose present step has this key; of those that failed, the step that failed.',
    examples: ['wait-a-day'],
  }),
  contact: contactFilter('Only executions of this contact'),
  heldOut: queryBoolean('heldOut').describe(
    'Only executions that took the holdout branch of a SPLIT step, or only those that did not.',
  ),
  from: notGiven(periodBound).describe(
    'Only executions that began at or after this time, or from this day on.',
  ),
  to: notGiven(periodBound).describe(
    'Only executions that began before this time, or until the end of this day.',
  ),
});

export const contactExecutionsInput = z.object({ contactId: uuid });

export const contactExecutions = z.array(
  z.object({
    ...executionFields,
    workflow: workflowName,
    currentStep,
  }),
);

export const executionIdInput = z.object({
  id: workflowId,
  executionId: uuid.describe('Id of the execution.'),
});

export const cancelledExecutions = z
  .object({
    cancelled: z
      .int()
      .min(0)
      .meta({ description: 'Number of executions cancelled.', examples: [3] }),
  })
  .register(typeNames, { name: 'CancelledExecutions' });

export const workflowCountsInput = z.object({
  id: workflowId,
  days: notGiven(z.int().min(1).max(90)).meta({
    description:
      'Counts only steps that ended in this number of days before now, 1 to 90. Default any time. Executions that are at a step now always count.',
    examples: [30],
  }),
});

export const workflowCounts = z.object({
  steps: z
    .array(
      z.object({
        stepId: z.string().describe('Id of the step.'),
        standing: z.int().describe('Active executions that are at the step.'),
        passed: z.int().describe('Executions that completed the step.'),
        failed: z.int().describe('Executions that failed at the step.'),
      }),
    )
    .describe('Counts by step. Steps that no execution reached are omitted.'),
  ways: z
    .array(
      z.object({
        stepId: z.string().describe('Id of the step.'),
        branch: z.string().nullable().describe('Branch of a CONDITION step; null for other steps.'),
        waitOutcome: waitOutcome
          .nullable()
          .describe('Outcome of a WAIT_FOR_EVENT step; null for other steps.'),
        taken: z.int().describe('Executions that left the step this way.'),
      }),
    )
    .describe('Counts by way out of the steps that have several. Ways that no execution took are omitted.'),
});
