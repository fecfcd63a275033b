import type { TriggerConfigInput, TriggerType } from '@postrider/core/automation/workflows/contract';
import type { useApiClient, Workflow } from '../../../lib/api.ts';
import { failureOf } from '../../../lib/failure.ts';
import type { Outlet } from '../steps/outlets.rules.ts';
import type { StepInput } from '../steps/step-views.ts';
import type { Place } from './graph-context.ts';
import { withStep } from './graph-edit.rules.ts';

type Client = ReturnType<typeof useApiClient>;
type Way = Pick<Outlet, 'branch' | 'waitOutcome'>;

/** An outlet as the API accepts it, without the keys that do not apply. */
export const outletInput = ({ branch, waitOutcome }: Way) => ({
  ...(branch !== null && { branch }),
  ...(waitOutcome !== null && { waitOutcome }),
});

/**
 * Adds a step after an outlet, in one request. If a step followed there, the new step leads to it by its first outlet. What others have
 * changed meanwhile stays: the step is then added to the graph as it is now, if the place is still there.
 *
 * @param present the workflow as this page knows it
 * @returns the id of the new step
 */
export async function addStepAt(
  { workflows }: Client,
  present: Workflow,
  { at, ...place }: Place,
  { templateId = null, ...step }: StepInput,
): Promise<string> {
  const { id } = present;
  const stepId = crypto.randomUUID();
  const addTo = async (graph: Workflow) => {
    const after = withStep(graph, place, { ...step, templateId }, stepId, at);
    const { steps } = await workflows.replaceGraph.mutate({ id, ifUpdatedAt: graph.updatedAt, ...after });
    return steps.find((each) => !graph.steps.some((known) => known.id === each.id))?.id ?? stepId;
  };
  try {
    return await addTo(present);
  } catch (error) {
    if (failureOf(error).code !== 'CONFLICT') throw error;
    const newest = await workflows.get.query({ id });
    // Then the refusal is about something else, such as a draft.
    if (newest.updatedAt === present.updatedAt) throw error;
    return await addTo(newest);
  }
}

interface NewWorkflow {
  name: string;
  description: string | undefined;
  allowReentry: boolean;
  triggerType: TriggerType;
  triggerConfig: Partial<TriggerConfigInput>;
}

/**
 * Creates a workflow and returns its id. The API creates workflows with an event trigger; another trigger is set by
 * a second request, and the workflow is deleted if that is refused.
 */
export async function createWorkflow(
  { workflows }: Client,
  { triggerType, triggerConfig, ...fields }: NewWorkflow,
): Promise<string> {
  const eventName = triggerType === 'EVENT' ? (triggerConfig.eventName ?? '') : triggerType.toLowerCase();
  const { id } = await workflows.create.mutate({ ...fields, eventName });
  if (triggerType === 'EVENT') return id;
  try {
    await workflows.update.mutate({ id, triggerType, triggerConfig });
  } catch (error) {
    await workflows.delete.mutate({ id });
    throw error;
  }
  return id;
}
