import { findContactIds } from '../../../audience/contacts/index.ts';
import { assertFilterTree, segmentExists, segmentNotFound } from '../../../audience/segments/index.ts';
import { type CommandContext, command, invalid, projectIdOf } from '../../../base/kernel/index.ts';
import { newId } from '../../../base/lib/index.ts';
import { workflowNotFound } from '../not-found.ts';
import { findVersion } from '../versions/versions.store.ts';
import { workflowIdOf } from '../workflow-id.ts';
import { changeExecutionsJob } from '../workflows.jobs.ts';
import { findWorkflow } from '../workflows.store.ts';
import { cancelExecutionsInput, startedJob } from './bulk.schema.ts';
import { type CancelInput, insertBulkJob } from './bulk-jobs.store.ts';
import { storeFilter } from './filter-file.store.ts';
import { activeOf, countExecutions, findStepByKey, presentMoment } from './matching.store.ts';
import { unknownReference } from './unknown-reference.ts';

const choices = ['filter', 'segmentId', 'stepKey', 'version', 'contacts'] as const;

/**
 * Those of contacts are decided with the call, all others while the job runs; who enters later is left alone.
 */
export const cancelExecutions = command({
  name: 'workflows.cancelExecutions',
  summary: 'Cancels some of the active executions of a workflow, in the background',
  permission: 'data:write',
  risk: 'none',
  errors: ['SEGMENT_NOT_FOUND', 'WORKFLOW_NOT_FOUND'],
  input: cancelExecutionsInput,
  output: startedJob,
  async handler(ctx, { id: named, withdrawEmails = false, ...given }) {
    const id = await workflowIdOf(ctx, named);
    const projectId = projectIdOf(ctx);
    const workflow = await findWorkflow(ctx.db, projectId, id);
    if (!workflow) throw workflowNotFound();
    assertOneChoice(given);
    const chosen = await choose(ctx, id, given);
    const jobId = newId();
    const until = await presentMoment(ctx.db);
    const total = chosen.ids?.length ?? (await countExecutions(ctx.db, projectId, id));
    const input: CancelInput = { workflowId: id, until, total, withdrawEmails, ...chosen };
    await insertBulkJob(ctx.db, { id: jobId, projectId, kind: 'cancel-executions', input });
    if (given.filter !== undefined) await storeFilter(ctx.db, { id: jobId, projectId }, given.filter);
    ctx.audit({ targetType: 'workflow', targetId: id, changed: ['executions'] });
    ctx.afterCommit(() => ctx.services.workflows.signalDebounced(changeExecutionsJob, { jobId }));
    return { jobId };
  },
});

type Given = Omit<(typeof cancelExecutionsInput)['_output'], 'id' | 'withdrawEmails'>;

function assertOneChoice(given: Given): void {
  const [first, second] = choices.filter((each) => given[each] !== undefined);
  if (first === undefined) {
    throw invalid([
      { field: 'filter', code: 'required', message: `Say which executions: one of ${choices.join(', ')}` },
    ]);
  }
  if (second !== undefined)
    throw invalid([{ field: second, code: 'custom', message: `Give either ${first} or ${second}` }]);
}

async function choose(
  ctx: CommandContext,
  workflowId: string,
  { filter, segmentId, stepKey, version, contacts }: Given,
): Promise<Pick<CancelInput, 'ids' | 'stepId' | 'version' | 'segmentId' | 'hasFilter'>> {
  const of = { projectId: projectIdOf(ctx), workflowId };
  if (contacts !== undefined)
    return { ids: await activeOf(ctx.db, of, (await findContactIds(ctx.db, of.projectId, contacts)).ids) };
  if (stepKey !== undefined) {
    const stepId = await findStepByKey(ctx.db, of, stepKey);
    if (stepId === null) throw unknownReference('stepKey', 'No step of the workflow has this key');
    return { stepId };
  }
  if (version !== undefined) {
    const found = await findVersion(ctx.db, { id: workflowId, projectId: of.projectId }, version);
    if (!found) throw unknownReference('version', 'The workflow has no such version');
    return { version };
  }
  if (segmentId !== undefined) {
    if (!(await segmentExists(ctx.db, of.projectId, segmentId))) throw segmentNotFound();
    return { segmentId };
  }
  if (filter !== undefined) await assertFilterTree(ctx.db, of.projectId, filter, 'filter');
  return { hasFilter: true };
}
