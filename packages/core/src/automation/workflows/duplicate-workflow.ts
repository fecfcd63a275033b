import { command, projectIdOf } from '../../base/kernel/index.ts';
import { newId } from '../../base/lib/index.ts';
import { nameOfCopy } from '../../content/templates/index.ts';
import { entryOf } from './entries/entry.rules.ts';
import { workflowNotFound } from './not-found.ts';
import { presentDetail } from './present-detail.ts';
import { requireTemplate } from './require-template.ts';
import { workflowIdOf } from './workflow-id.ts';
import { workflowDetail, workflowIdInput, workflowNameLimit } from './workflows.schema.ts';
import {
  asObject,
  endsOfRow,
  insertGraph,
  insertWorkflow,
  lockWorkflow,
  readGraph,
} from './workflows.store.ts';

export const duplicateWorkflow = command({
  name: 'workflows.duplicate',
  summary: 'Duplicates a workflow with its steps and transitions, as a disabled one',
  permission: 'data:write',
  risk: 'none',
  errors: ['WORKFLOW_NOT_FOUND'],
  input: workflowIdInput,
  output: workflowDetail,
  async handler(ctx, { id: named }) {
    const id = await workflowIdOf(ctx, named);
    const projectId = projectIdOf(ctx);
    // Kept from changing, so that the copy is of one moment.
    const original = await lockWorkflow(ctx.db, projectId, id, 'keep');
    if (!original) throw workflowNotFound();
    const { steps, transitions } = await readGraph(ctx.db, id);
    for (const templateId of new Set(steps.map((step) => step.templateId))) {
      await requireTemplate(ctx, templateId);
    }
    const { description, triggerType, triggerConfig, reads, allowReentry, entry, timeZone, errorBudget } =
      original;
    const copy = await insertWorkflow(ctx.db, {
      id: newId(),
      projectId,
      name: nameOfCopy(original.name, workflowNameLimit),
      description,
      triggerType,
      triggerConfig: asObject(triggerConfig),
      reads,
      allowReentry,
      errorBudget,
      entry: entryOf(entry),
      timeZone,
      ends: endsOfRow(original),
    });
    await insertGraph(ctx.db, copy, steps, transitions);
    ctx.audit({ targetType: 'workflow', targetId: copy.id });
    return presentDetail(ctx.db, copy);
  },
});
