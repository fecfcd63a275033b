import {
  findContactIds,
  insertJobContacts,
  insertJobFile,
  totalOfContacts,
} from '../../../audience/contacts/index.ts';
import { assertFilterTree, segmentExists } from '../../../audience/segments/index.ts';
import { notifyExecutions } from '../../../base/follow-ups/index.ts';
import { AppError, command, conflict, projectIdOf, suggestions } from '../../../base/kernel/index.ts';
import { newId } from '../../../base/lib/index.ts';
import { workflowNotFound } from '../not-found.ts';
import { assertMaySend } from '../require-template.ts';
import { workflowIdOf } from '../workflow-id.ts';
import { lockWorkflow, readGraph } from '../workflows.store.ts';
import { enteringWorkflow, enterWorkflowInput } from './enter.schema.ts';
import { insertEnterJob } from './enter-job.store.ts';

export const enterWorkflow = command({
  name: 'workflows.enter',
  summary: 'Enters many contacts into a workflow, in the background and each by its entry rules',
  permission: 'data:write',
  risk: 'mail',
  errors: ['SEGMENT_NOT_FOUND', 'WORKFLOW_NOT_FOUND', 'CONFLICT', 'FORBIDDEN'],
  input: enterWorkflowInput,
  output: enteringWorkflow,
  async handler(ctx, { id: named, filter, segmentId, contacts, context = {} }) {
    const id = await workflowIdOf(ctx, named);
    const projectId = projectIdOf(ctx);
    const workflow = await lockWorkflow(ctx.db, projectId, id, 'keep');
    if (!workflow) throw workflowNotFound();
    if (!workflow.enabled)
      throw conflict('The workflow is disabled', { suggestion: suggestions.CONFLICT.workflowDisabled });
    if (filter) await assertFilterTree(ctx.db, projectId, filter, 'filter');
    if (segmentId !== undefined && !(await segmentExists(ctx.db, projectId, segmentId)))
      throw new AppError('SEGMENT_NOT_FOUND', 'Segment not found');
    await assertMaySend(ctx, (await readGraph(ctx.db, workflow.id)).steps);
    const jobId = newId();
    const listed = contacts ? await findContactIds(ctx.db, projectId, contacts) : null;
    const total = listed ? listed.ids.length : await totalOfContacts(ctx.db, projectId);
    await insertEnterJob(ctx.db, {
      id: jobId,
      projectId,
      input: { workflowId: workflow.id, isListed: listed !== null, total, notFound: listed?.notFound ?? 0 },
    });
    // A filter and a context may contain addresses, so they are no parameters that are kept with the job.
    const selection = { filter: filter ?? null, segmentId: segmentId ?? null, context };
    await insertJobFile(ctx.db, jobId, projectId, Buffer.from(JSON.stringify(selection)));
    if (listed) await insertJobContacts(ctx.db, jobId, listed.ids);
    ctx.audit({ targetType: 'workflow', targetId: workflow.id });
    ctx.afterCommit(() => notifyExecutions(ctx.services, projectId));
    return { jobId };
  },
});
