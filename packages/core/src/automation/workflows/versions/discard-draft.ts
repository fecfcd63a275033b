import { command, emptyObject, projectIdOf } from '../../../base/kernel/index.ts';
import { removeDraft } from '../definitions/definitions.store.ts';
import { draftNotFound, workflowNotFound } from '../not-found.ts';
import { workflowIdOf } from '../workflow-id.ts';
import { workflowIdInput } from '../workflows.schema.ts';
import { lockWorkflow } from '../workflows.store.ts';

export const discardDraft = command({
  name: 'workflows.discardDraft',
  summary: 'Discards the draft of a workflow; the live version stays',
  permission: 'data:write',
  risk: 'none',
  errors: ['RESOURCE_NOT_FOUND', 'WORKFLOW_NOT_FOUND'],
  input: workflowIdInput,
  output: emptyObject,
  async handler(ctx, { id: named }) {
    const id = await workflowIdOf(ctx, named);
    const projectId = projectIdOf(ctx);
    if (!(await lockWorkflow(ctx.db, projectId, id))) throw workflowNotFound();
    if (!(await removeDraft(ctx.db, projectId, id))) throw draftNotFound();
    ctx.audit({ targetType: 'workflow', targetId: id, changed: ['draft'] });
    return {};
  },
});
