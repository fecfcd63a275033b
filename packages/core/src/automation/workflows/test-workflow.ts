import { findContactId } from '../../audience/contacts/index.ts';
import { AppError, projectIdOf, query } from '../../base/kernel/index.ts';
import { newId } from '../../base/lib/index.ts';
import { testWorkflowInput, workflowTest } from './executions.schema.ts';
import { workflowNotFound } from './not-found.ts';
import { type RehearsedStep, rehearse } from './runtime/index.ts';
import { readSimulated, runnable } from './simulate/simulated-definition.ts';
import { workflowIdOf } from './workflow-id.ts';
import { findWorkflow } from './workflows.store.ts';

export const testWorkflow = query({
  name: 'workflows.test',
  summary: 'Shows the steps that a workflow would take for a contact. Nothing is sent or changed',
  permission: 'data:read',
  errors: ['CONTACT_NOT_FOUND', 'RESOURCE_NOT_FOUND', 'WORKFLOW_NOT_FOUND'],
  input: testWorkflowInput,
  output: workflowTest,
  async handler(
    ctx,
    { id: named, contactId: reference, context = {}, waits = 'EVENT', definition = 'live' },
  ) {
    const id = await workflowIdOf(ctx, named);
    const projectId = projectIdOf(ctx);
    const workflow = await findWorkflow(ctx.db, projectId, id);
    if (!workflow) throw workflowNotFound();
    const contactId = await findContactId(ctx.db, projectId, reference);
    if (contactId === null) throw new AppError('CONTACT_NOT_FOUND', 'Contact not found');
    const given = definition === 'draft' ? await readSimulated(ctx, workflow, 'draft') : null;
    const start = {
      ...{ projectId, workflowId: id, contactId, context },
      ...(given && { definition: runnable(given.definition) }),
    };
    const { steps, stopped } = await rehearse(ctx.services, start, waits);
    const last = steps.at(-1)?.result;
    const executionId = newId();
    return {
      ...endOf(last, stopped),
      stepExecutions: steps.map((taken) => present(executionId, taken)),
    };
  },
});

function endOf(last: RehearsedStep['result'] | undefined, stopped: boolean) {
  if (stopped) return { status: 'RUNNING' as const, exitReason: null };
  if (last?.kind === 'failed') return { status: 'FAILED' as const, exitReason: last.error };
  if (last?.kind === 'exited') return { status: 'EXITED' as const, exitReason: last.reason };
  return { status: 'COMPLETED' as const, exitReason: null };
}

/** A step in the form of the steps of executions. */
function present(executionId: string, { step, startedAt, completedAt, result }: RehearsedStep) {
  const { id: stepId, name, type } = step;
  const hasFailed = result.kind === 'failed';
  return {
    id: newId(),
    executionId,
    stepId,
    status: hasFailed ? ('FAILED' as const) : ('COMPLETED' as const),
    version: null,
    scheduledFor: completedAt > startedAt ? completedAt : null,
    output: result.output ?? null,
    error: hasFailed ? result.error : null,
    failures: hasFailed ? [{ at: completedAt, error: result.error }] : [],
    startedAt,
    completedAt,
    createdAt: startedAt,
    updatedAt: completedAt,
    step: { id: stepId, name, type },
  };
}
