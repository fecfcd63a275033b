import { z } from 'zod';
import { dataLimitBytes, isTooLarge } from '../contacts/contacts.rules.ts';
import { filterEnum, isoDate, namedEnum, notGiven, pageQuery, typeNames, uuid } from '../kernel/schemas.ts';
import { stepType } from './steps/steps.schema.ts';

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

const nullableDate = isoDate.nullable();

const executionFields = {
  id: z.string(),
  workflowId: z.string(),
  contactId: z.string(),
  status: executionStatus,
  currentStepId: z.string().nullable(),
  exitReason: z.string().nullable(),
  context: z.record(z.string(), z.unknown()),
  sourceEventId: z.string().nullable(),
  startedAt: isoDate,
  completedAt: nullableDate,
  createdAt: isoDate,
  updatedAt: isoDate,
};

/** An execution as callers see it (behaviour B2.6). */
export const executionShape = z.object(executionFields).register(typeNames, { name: 'Execution' });

const contactName = z.object({ id: z.string(), email: z.string() });
const stepName = z.object({ id: z.string(), name: z.string(), type: stepType });

export const executionPage = z
  .object({
    executions: z.array(
      z.object({ ...executionFields, contact: contactName, currentStep: stepName.nullable() }),
    ),
    total: z.int(),
    page: z.int(),
    pageSize: z.int(),
    totalPages: z.int(),
  })
  .register(typeNames, { name: 'ExecutionPage' });

export const executionDetail = z
  .object({
    ...executionFields,
    workflow: z.object({ id: z.string(), name: z.string() }),
    contact: contactName,
    currentStep: stepName.nullable(),
    stepExecutions: z.array(
      z.object({
        id: z.string(),
        executionId: z.string(),
        stepId: z.string(),
        status: stepStatus,
        scheduledFor: nullableDate,
        output: z.record(z.string(), z.unknown()).nullable(),
        error: z.string().nullable(),
        startedAt: nullableDate,
        completedAt: nullableDate,
        createdAt: isoDate,
        updatedAt: isoDate,
        step: stepName.nullable(),
      }),
    ),
  })
  .register(typeNames, { name: 'ExecutionDetail' });

export const startExecutionInput = z.object({
  id: uuid,
  contactId: uuid,
  context: notGiven(
    z.record(z.string(), z.unknown()).refine((context) => !isTooLarge(JSON.stringify(context)), {
      params: { code: 'too_big' },
      message: `At most ${dataLimitBytes / 1024} KiB of JSON`,
    }),
  ).describe('Values for conditions and templates of this execution'),
});

export const listExecutionsInput = z.object({
  id: uuid,
  ...pageQuery,
  status: filterEnum('status', executionStatus),
});

export const contactExecutionsInput = z.object({ contactId: uuid });

export const contactExecutions = z.array(
  z.object({
    ...executionFields,
    workflow: z.object({ id: z.string(), name: z.string() }),
    currentStep: stepName.nullable(),
  }),
);

export const executionIdInput = z.object({ id: uuid, executionId: uuid });

export const cancelledExecutions = z
  .object({ cancelled: z.int() })
  .register(typeNames, { name: 'CancelledExecutions' });

export const workflowCountsInput = z.object({ id: uuid });

/** How many executions stand at each step, and how many have left it. Steps that nobody came to are left out. */
export const workflowCounts = z.object({
  steps: z.array(
    z.object({
      stepId: z.string(),
      /** active executions that stand there now */
      standing: z.int(),
      /** executions that completed it, ever */
      passed: z.int(),
      /** executions that failed there */
      failed: z.int(),
    }),
  ),
});
