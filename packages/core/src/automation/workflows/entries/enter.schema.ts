import { z } from 'zod';
import { contactReference } from '../../../audience/contacts/reference.schema.ts';
import { filterTree } from '../../../audience/segments/filters.schema.ts';
import { notGiven, recordId, typeNames, uuid } from '../../../base/kernel/schemas.ts';
import { startExecutionInput } from '../executions.schema.ts';

export const mostNamed = 1_000;

const whom = ['filter', 'segmentId', 'contacts'] as const;

export const enterWorkflowInput = z
  .object({
    id: startExecutionInput.shape.id,
    filter: notGiven(filterTree).describe('The contacts that match this filter.'),
    segmentId: notGiven(uuid).describe('The members of this segment.'),
    contacts: notGiven(z.array(contactReference).min(1).max(mostNamed)).meta({
      description:
        'These contacts, 1 to 1,000: each by its id, its email address, or `ext:` and its external id. Those that do not exist are counted.',
      examples: [['ann@example.net']],
    }),
    context: startExecutionInput.shape.context,
  })
  .superRefine((input, ctx) => {
    const [first, second] = whom.filter((name) => input[name] !== undefined);
    if (first !== undefined && second === undefined) return;
    const field = second ?? 'filter';
    ctx.addIssue({
      code: 'custom',
      path: [field],
      params: { code: second === undefined ? 'required' : 'custom' },
      message: 'Give one of filter, segmentId and contacts',
      input: undefined,
    });
  });

export const enteringWorkflow = z
  .object({ jobId: recordId.describe('Id of the job, for `GET /workflows/:id/jobs/:jobId`.') })
  .register(typeNames, { name: 'WorkflowEntering' });
