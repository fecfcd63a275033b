import { AppError, projectIdOf, query, waitsForEngine } from '../../../base/kernel/index.ts';
import { isUuid } from '../../../base/lib/index.ts';
import { findJobOfWorkflow } from '../bulk/job-of-workflow.store.ts';
import { workflowNotFound } from '../not-found.ts';
import { workflowIdOf } from '../workflow-id.ts';
import { findWorkflow } from '../workflows.store.ts';
import { workflowJob, workflowJobInput } from './versions.schema.ts';

export const getWorkflowJob = query({
  name: 'workflows.getJob',
  summary: 'Returns the progress and result of a job of a workflow',
  permission: 'data:read',
  errors: ['RESOURCE_NOT_FOUND', 'WORKFLOW_NOT_FOUND'],
  input: workflowJobInput,
  output: workflowJob,
  async handler(ctx, { id: named, jobId }) {
    const id = await workflowIdOf(ctx, named);
    const projectId = projectIdOf(ctx);
    if (!(await findWorkflow(ctx.db, projectId, id))) throw workflowNotFound();
    // Ids of jobs are opaque: a malformed one is unknown, not invalid.
    const job = isUuid(jobId) ? await findJobOfWorkflow(ctx.db, projectId, id, jobId) : null;
    if (!job) throw new AppError('RESOURCE_NOT_FOUND', 'Job not found');
    const { state, result } = job;
    const waitsFor = await ctx.services.engine.holdUpOf(waitsForEngine(job));
    // The counts of a running job are its position, not yet a result.
    if (state !== 'completed' || result === null) return { ...job, waitsFor, result: null };
    const { cancelled, retried, changed = cancelled ?? retried ?? 0 } = result;
    return { ...job, waitsFor, result: { ...result, changed } };
  },
});
