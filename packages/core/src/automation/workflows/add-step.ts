import { badRequest, command, projectIdOf } from '../../base/kernel/index.ts';
import { workflowNotFound } from './not-found.ts';
import { readStepConfig } from './read-step-config.ts';
import { requireTemplate } from './require-template.ts';
import { autoConnection } from './workflows.rules.ts';
import { addStepInput, maxSteps, stepShape } from './workflows.schema.ts';
import {
  changeWorkflow,
  insertStep,
  insertTransition,
  lockWorkflow,
  presentStep,
  readGraph,
  refreshInterests,
} from './workflows.store.ts';

export const addStep = command({
  name: 'workflows.addStep',
  summary: 'Adds a step to a workflow and connects it to the latest step',
  permission: 'data:write',
  risk: 'mail',
  errors: ['BAD_REQUEST', 'TEMPLATE_NOT_FOUND', 'WORKFLOW_NOT_FOUND'],
  input: addStepInput,
  output: stepShape,
  async handler(ctx, { id, type, name, position, autoConnect = true, ...given }) {
    const projectId = projectIdOf(ctx);
    const { config, templateId } = readStepConfig(type, given.config);
    const workflow = await lockWorkflow(ctx.db, projectId, id);
    if (!workflow) throw workflowNotFound();
    const chosen = given.templateId ?? templateId ?? null;
    await requireTemplate(ctx, chosen);
    if (type === 'TRIGGER') throw badRequest('A workflow has exactly one TRIGGER step');
    const graph = await readGraph(ctx.db, id);
    if (graph.steps.length >= maxSteps) throw badRequest(`A workflow has at most ${maxSteps} steps`);
    const step = await insertStep(ctx.db, {
      workflowId: id,
      projectId,
      type,
      name,
      position,
      config,
      templateId: chosen,
    });
    const transition = autoConnect ? autoConnection(graph, step.id) : null;
    if (transition) await insertTransition(ctx.db, workflow, transition);
    await refreshInterests(ctx.db, await changeWorkflow(ctx.db, id), [...graph.steps, step]);
    ctx.audit({ targetType: 'workflow', targetId: id, changed: ['steps'] });
    return presentStep(step);
  },
});
