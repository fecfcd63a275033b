import type { Db } from '../../base/db/index.ts';
import type { WorkflowDefinition } from './definitions/definition.rules.ts';
import { readLive } from './definitions/definitions.store.ts';
import { presentStep, presentWorkflow, templateNames, type WorkflowRow } from './workflows.store.ts';

/** A workflow with its whole graph, as returned by `GET /workflows/:id`; without a definition, with the live one. */
export async function presentDetail(db: Db, workflow: WorkflowRow, given?: WorkflowDefinition) {
  const definition = given ?? (await readLive(db, workflow));
  const { triggerType, triggerConfig, allowReentry, entry, timeZone, goals, exits } = definition;
  return {
    ...(await presentWorkflow(db, workflow)),
    triggerType,
    triggerConfig: { ...triggerConfig },
    allowReentry,
    entry,
    timeZone,
    goals,
    exits,
    ...(await presentGraph(db, workflow, definition)),
  };
}

/** The steps and transitions of a definition in the form of the API. */
export async function presentGraph(
  db: Db,
  { id, projectId }: Pick<WorkflowRow, 'id' | 'projectId'>,
  { steps, transitions: given }: Pick<WorkflowDefinition, 'steps' | 'transitions'>,
) {
  const templateIds = steps.flatMap(({ templateId }) => (templateId === null ? [] : [templateId]));
  const templates = await templateNames(db, projectId, templateIds);
  const transitions = given.map((transition) => ({ ...transition, workflowId: id }));
  const outgoing = Map.groupBy(transitions, ({ fromStepId }) => fromStepId);
  const incoming = Map.groupBy(transitions, ({ toStepId }) => toStepId);
  return {
    steps: steps.map((step) => ({
      ...presentStep(id, step),
      template: step.templateId === null ? null : (templates.get(step.templateId) ?? null),
      outgoingTransitions: outgoing.get(step.id) ?? [],
      incomingTransitions: incoming.get(step.id) ?? [],
    })),
    transitions,
  };
}
