import type { Db } from '../../base/db/index.ts';
import {
  presentStep,
  presentWorkflow,
  readGraph,
  templateNames,
  type WorkflowRow,
} from './workflows.store.ts';

/** A workflow with its whole graph, as returned by `GET /workflows/:id`. */
export async function presentDetail(db: Db, workflow: WorkflowRow) {
  const { steps, transitions } = await readGraph(db, workflow.id);
  const templateIds = steps.flatMap(({ templateId }) => (templateId === null ? [] : [templateId]));
  const templates = await templateNames(db, workflow.projectId, templateIds);
  return {
    ...presentWorkflow(workflow),
    steps: steps.map((step) => ({
      ...presentStep(step),
      template: step.templateId === null ? null : (templates.get(step.templateId) ?? null),
      outgoingTransitions: transitions.filter(({ fromStepId }) => fromStepId === step.id),
      incomingTransitions: transitions.filter(({ toStepId }) => toStepId === step.id),
    })),
    transitions,
  };
}
