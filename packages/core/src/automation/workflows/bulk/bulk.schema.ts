import { z } from 'zod';
import { contactReference } from '../../../audience/contacts/reference.schema.ts';
import { filterTree } from '../../../audience/segments/filters.schema.ts';
import { notGiven, periodBound, typeNames, uuid } from '../../../base/kernel/schemas.ts';
import { versionNumber } from '../versions/versions.schema.ts';

const workflowId = uuid.describe('Id of the workflow.');

/** Keys of steps are short. */
const stepKey = z.string().max(60);

export const mostCancelledContacts = 1_000;

export const cancelExecutionsInput = z.object({
  id: workflowId,
  filter: notGiven(filterTree).describe('Filter tree: executions of contacts that match.'),
  segmentId: notGiven(uuid).describe('Executions of the members of this segment.'),
  stepKey: notGiven(stepKey).meta({
    description: 'Executions that are at the step with this key.',
    examples: ['wait-a-day'],
  }),
  version: notGiven(versionNumber).meta({
    description: 'Executions that began with this version.',
    examples: [3],
  }),
  contacts: notGiven(z.array(contactReference).min(1).max(mostCancelledContacts)).meta({
    description:
      'Executions of these contacts, at most 1,000: their ids, their email addresses, or `ext:` and their external ids. Who is not in the workflow is left out.',
    examples: [['anna@example.com']],
  }),
  withdrawEmails: notGiven(z.boolean()).describe(
    'Whether their emails that are not being sent yet are skipped. Default false: what is written is sent.',
  ),
});

export const retryExecutionsInput = z.object({
  id: workflowId,
  stepKey: notGiven(stepKey).meta({
    description: 'Only executions that failed at the step with this key.',
    examples: ['call-the-shop'],
  }),
  failedAfter: notGiven(periodBound).describe(
    'Only executions that failed at or after this time, or from this day on.',
  ),
  failedBefore: notGiven(periodBound).describe(
    'Only executions that failed before this time, or until the end of this day.',
  ),
});

export const startedJob = z
  .object({
    jobId: z.string().meta({
      description: 'Id of the job, for its progress and result.',
      examples: ['0198c1a4-7d1e-7b3a-9c55-2f6d8e4b1a90'],
    }),
  })
  .register(typeNames, { name: 'WorkflowJobStarted' });
