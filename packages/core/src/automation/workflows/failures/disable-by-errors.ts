import { z } from 'zod';
import { storeEvent } from '../../../base/event-types/index.ts';
import { command, recordId } from '../../../base/kernel/index.ts';
import { projectPage } from '../../../base/kernel/project-page.ts';
import { findLeaders } from '../../../people/domains/index.ts';
import { readLive } from '../definitions/definitions.store.ts';
import { saveColumns } from '../versions/publish-definition.ts';
import { lockWorkflow } from '../workflows.store.ts';
import { nameOfProject } from './failures.store.ts';

/** Disables a workflow whose step fails too often (behaviour B14.7). Executions inside go on, and what failed can be retried. */
export const disableByErrors = command({
  name: 'workflows.disableByErrors',
  summary: 'Disables a workflow that fails too often',
  permission: 'internal',
  risk: 'large',
  internal: true,
  allowDisabled: true,
  input: z.object({
    id: recordId.describe('Id of the workflow.'),
    projectId: recordId.describe('Id of its project.'),
    stepId: recordId.describe('Id of the step that fails.'),
    stepKey: z.string().describe('Key of the step.'),
    failed: z.int().describe('How often it failed.'),
    visits: z.int().describe('How often it came to an end.'),
  }),
  output: z.object({ changed: z.boolean().describe('False when it was disabled already.') }),
  async handler(ctx, { id, projectId, stepId, stepKey, failed, visits }) {
    // One of many processes gets here first.
    const workflow = await lockWorkflow(ctx.db, projectId, id);
    if (!workflow?.enabled || !workflow.errorBudget) return { changed: false };
    const live = await readLive(ctx.db, workflow);
    await saveColumns(ctx, workflow, live, { enabled: false, disabledReason: 'errors' });
    const told = {
      workflowId: id,
      workflowName: workflow.name,
      reason: 'errors' as const,
      stepKey,
      failed,
      visits,
    };
    await storeEvent(ctx.db, 'workflow.disabled', projectId, told);
    const { platformMail, config } = ctx.services;
    const project = await nameOfProject(ctx.db, projectId);
    const step = live.steps.find((each) => each.id === stepId)?.name ?? stepKey;
    const values = { project, workflow: workflow.name, step, failed, visits };
    const url = projectPage(config, projectId, `workflows/${id}/executions?status=FAILED`);
    for (const to of await findLeaders(ctx.db, projectId))
      await platformMail.write(ctx.db, { to, mail: 'workflowDisabled', values, url });
    ctx.audit({ targetType: 'workflow', targetId: id, projectId, changed: ['enabled'] });
    ctx.afterCommit(() => platformMail.notify());
    return { changed: true };
  },
});
