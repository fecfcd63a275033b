import { command, invalid, projectOf } from '../../../base/kernel/index.ts';
import { newId, periodOf } from '../../../base/lib/index.ts';
import { readDefinitionsOf } from '../definitions/read-definitions.store.ts';
import { workflowNotFound } from '../not-found.ts';
import { assertMaySend } from '../require-template.ts';
import { workflowIdOf } from '../workflow-id.ts';
import { changeExecutionsJob } from '../workflows.jobs.ts';
import { findWorkflow } from '../workflows.store.ts';
import { retryExecutionsInput, startedJob } from './bulk.schema.ts';
import { insertBulkJob } from './bulk-jobs.store.ts';
import { countFailed, findStepByKey, presentMoment, versionsOfFailed } from './matching.store.ts';
import { unknownReference } from './unknown-reference.ts';

export const retryExecutions = command({
  name: 'workflows.retryExecutions',
  summary: 'Has the failed executions of a workflow go on at the steps that failed, in the background',
  permission: 'data:write',
  risk: 'mail',
  errors: ['WORKFLOW_NOT_FOUND'],
  input: retryExecutionsInput,
  output: startedJob,
  async handler(ctx, { id: named, stepKey, failedAfter, failedBefore }) {
    const id = await workflowIdOf(ctx, named);
    const { id: projectId, timeZone } = projectOf(ctx);
    if (!(await findWorkflow(ctx.db, projectId, id))) throw workflowNotFound();
    const of = { projectId, workflowId: id };
    const stepId = stepKey === undefined ? undefined : await findStepByKey(ctx.db, of, stepKey);
    if (stepId === null) throw unknownReference('stepKey', 'No step of the workflow has this key');
    const period = periodOf({ from: failedAfter, to: failedBefore }, timeZone, 'included');
    if (period.from && period.to && period.to < period.from) {
      throw invalid([{ field: 'failedBefore', code: 'invalid_range', message: 'It is before failedAfter' }]);
    }
    const versions = await versionsOfFailed(ctx.db, of);
    const lineageOf = await readDefinitionsOf(ctx.db, versions);
    await assertMaySend(
      ctx,
      versions.flatMap((each) => lineageOf(each)?.runs.steps ?? []),
    );
    const failed = {
      workflowId: id,
      from: period.from?.toISOString() ?? null,
      // What fails again is not retried once more by the same job.
      until: period.to && period.to < new Date() ? period.to.toISOString() : await presentMoment(ctx.db),
      ...(stepId !== undefined && { stepId }),
    };
    const jobId = newId();
    const total = await countFailed(ctx.db, projectId, failed);
    await insertBulkJob(ctx.db, {
      id: jobId,
      projectId,
      kind: 'retry-executions',
      input: { ...failed, total },
    });
    ctx.audit({ targetType: 'workflow', targetId: id, changed: ['executions'] });
    ctx.afterCommit(() => ctx.services.workflows.signalDebounced(changeExecutionsJob, { jobId }));
    return { jobId };
  },
});
