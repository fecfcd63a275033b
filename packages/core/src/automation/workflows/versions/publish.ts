import { command, conflict, invalid, projectIdOf, suggestions } from '../../../base/kernel/index.ts';
import { assertInForce } from '../definitions/check-definition.ts';
import { countDraftChanges, definitionFrom, removeDraft } from '../definitions/definitions.store.ts';
import { differenceOf } from '../definitions/difference.rules.ts';
import { assertUnchanged } from '../edit.ts';
import { workflowNotFound } from '../not-found.ts';
import { assertMaySend } from '../require-template.ts';
import { workflowIdOf } from '../workflow-id.ts';
import { moveExecutionsJob } from '../workflows.jobs.ts';
import { findWorkflow, lockWorkflow, presentWorkflow } from '../workflows.store.ts';
import { planMove } from './plan-move.ts';
import { publishDefinition } from './publish-definition.ts';
import { readPublication } from './read-publication.ts';
import { published, publishInput } from './versions.schema.ts';

export const publishWorkflow = command({
  name: 'workflows.publish',
  summary: 'Publishes the draft of a workflow, or an earlier version again, as its live version',
  permission: 'data:write',
  risk: 'mail',
  errors: ['BAD_REQUEST', 'RESOURCE_NOT_FOUND', 'WORKFLOW_NOT_FOUND', 'CONFLICT', 'FORBIDDEN'],
  input: publishInput,
  output: published,
  async handler(ctx, { id: named, ...given }) {
    const id = await workflowIdOf(ctx, named);
    const projectId = projectIdOf(ctx);
    const workflow = await lockWorkflow(ctx.db, projectId, id);
    if (!workflow) throw workflowNotFound();
    const publication = await readPublication(ctx, workflow, given);
    const { draft, live, definition, move, needed, problems } = publication;
    assertUnchanged({ workflow, draft }, given.ifUpdatedAt);
    await assertInForce(ctx, definition, { whole: true });
    if (problems.length > 0) throw invalid(problems);
    if (needed.length > 0) {
      throw conflict('People are at steps that the new version does not have', {
        details: { steps: needed },
        suggestion: suggestions.CONFLICT.workflowPeople,
      });
    }
    if (workflow.enabled) await assertMaySend(ctx, definition.steps);
    // Read before: they tell apart what their executions wait for now.
    const plan = move ? await planMove(ctx, workflow, definition, move, publication.people) : null;
    const { version } = await publishDefinition(ctx, {
      workflow,
      live,
      definition,
      note: given.note || null,
      move,
    });
    if (given.version === undefined) await removeDraft(ctx.db, projectId, id);
    else if (draft)
      await countDraftChanges(ctx.db, id, differenceOf(definition, definitionFrom(draft.definition)).length);
    const jobId = plan && plan.moved > 0 ? await plan.insertJob(version) : null;
    if (jobId !== null)
      ctx.afterCommit(() => ctx.services.workflows.signalDebounced(moveExecutionsJob, { jobId }));
    const changes = differenceOf(live, definition).map(({ kind, stepKey }) =>
      stepKey === null ? kind : `${stepKey} ${kind}`,
    );
    ctx.audit({ targetType: 'workflow', targetId: id, changed: changes });
    const after = await findWorkflow(ctx.db, projectId, id);
    return {
      workflow: await presentWorkflow(ctx.db, after ?? workflow),
      version,
      moved: plan?.moved ?? 0,
      jobId,
    };
  },
});
