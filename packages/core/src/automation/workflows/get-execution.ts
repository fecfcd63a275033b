import { projectIdOf, query } from '../../base/kernel/index.ts';
import { executionDetail, executionIdInput } from './executions.schema.ts';
import { failuresOf, findExecution, presentExecution, readNames } from './executions.store.ts';
import { stepsOfEach } from './executions-of-each.store.ts';
import { partNotFound, workflowNotFound } from './not-found.ts';
import { workflowIdOf } from './workflow-id.ts';
import { asObject, findWorkflow } from './workflows.store.ts';

export const getExecution = query({
  name: 'workflows.getExecution',
  summary: 'Returns one execution with the steps it ran',
  permission: 'data:read',
  errors: ['RESOURCE_NOT_FOUND', 'WORKFLOW_NOT_FOUND'],
  input: executionIdInput,
  output: executionDetail,
  async handler(ctx, { id: named, executionId }) {
    const id = await workflowIdOf(ctx, named);
    const projectId = projectIdOf(ctx);
    const workflow = await findWorkflow(ctx.db, projectId, id);
    if (!workflow) throw workflowNotFound();
    const execution = await findExecution(ctx.db, projectId, id, executionId);
    if (!execution) throw partNotFound('Execution');
    const steps = await stepsOfEach(ctx.db, projectId, [executionId]);
    const { contactOf, stepOf } = await readNames(
      ctx.db,
      projectId,
      [execution],
      [
        ...steps.map(({ stepId }) => stepId),
        ...(execution.currentStepId === null ? [] : [execution.currentStepId]),
      ],
    );
    return {
      ...presentExecution(execution),
      workflow: { id, name: workflow.name },
      contact: contactOf(execution.contactId),
      currentStep: stepOf(execution.currentStepId),
      stepExecutions: steps.map((step) => ({
        ...step,
        output: step.output === null ? null : asObject(step.output),
        failures: failuresOf(step),
        step: stepOf(step.stepId),
      })),
    };
  },
});
