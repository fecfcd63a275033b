import { z } from 'zod';
import { dataLimitBytes, isTooLarge } from '../contacts/contacts.rules.ts';
import { filterEnum, isoDate, notGiven, pageQuery, uuid } from '../kernel/schemas.ts';
import { stepTypes } from './steps.schema.ts';

export const executionStatuses = [
  'RUNNING',
  'WAITING',
  'COMPLETED',
  'EXITED',
  'FAILED',
  'CANCELLED',
] as const;
export const stepStatuses = [
  'PENDING',
  'SCHEDULED',
  'WAITING',
  'RUNNING',
  'COMPLETED',
  'SKIPPED',
  'FAILED',
] as const;

const nullableDate = isoDate.nullable();

const executionFields = {
  id: z.string(),
  workflowId: z.string(),
  contactId: z.string(),
  status: z.enum(executionStatuses),
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
export const executionShape = z.object(executionFields);

const contactName = z.object({ id: z.string(), email: z.string() });
const stepName = z.object({ id: z.string(), name: z.string(), type: z.enum(stepTypes) });

export const executionPage = z.object({
  executions: z.array(
    z.object({ ...executionFields, contact: contactName, currentStep: stepName.nullable() }),
  ),
  total: z.int(),
  page: z.int(),
  pageSize: z.int(),
  totalPages: z.int(),
});

export const executionDetail = z.object({
  ...executionFields,
  workflow: z.object({ id: z.string(), name: z.string() }),
  contact: contactName,
  currentStep: stepName.nullable(),
  stepExecutions: z.array(
    z.object({
      id: z.string(),
      executionId: z.string(),
      stepId: z.string(),
      status: z.enum(stepStatuses),
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
});

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
  status: filterEnum('status', executionStatuses),
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

export const cancelledExecutions = z.object({ cancelled: z.int() });

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
