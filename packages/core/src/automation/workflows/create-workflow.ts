import { command, projectIdOf } from '../../base/kernel/index.ts';
import { newId } from '../../base/lib/index.ts';
import { triggerKey } from './definitions/step-keys.rules.ts';
import { presentDetail } from './present-detail.ts';
import { readsOfTrigger, triggerName, triggerStepConfig } from './trigger.ts';
import { createWorkflowInput, workflowDetail } from './workflows.schema.ts';
import { insertStep, insertWorkflow } from './workflows.store.ts';

export const createWorkflow = command({
  name: 'workflows.create',
  summary: 'Creates a disabled workflow with an event trigger',
  permission: 'data:write',
  risk: 'none',
  input: createWorkflowInput,
  output: workflowDetail,
  async handler(ctx, { name, eventName, description = null, allowReentry = false }) {
    const projectId = projectIdOf(ctx);
    const triggerConfig = { eventName };
    const workflow = await insertWorkflow(ctx.db, {
      id: newId(),
      projectId,
      name,
      description,
      allowReentry,
      triggerType: 'EVENT',
      triggerConfig,
      reads: readsOfTrigger('EVENT', triggerConfig),
    });
    await insertStep(ctx.db, {
      projectId,
      workflowId: workflow.id,
      key: triggerKey,
      type: 'TRIGGER',
      name: triggerName('EVENT', triggerConfig),
      position: { x: 100, y: 100 },
      config: triggerStepConfig('EVENT', triggerConfig),
    });
    ctx.audit({ targetType: 'workflow', targetId: workflow.id });
    return presentDetail(ctx.db, workflow);
  },
});
