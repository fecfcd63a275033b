import type { TriggerConfigInput, TriggerType } from '@postrider/core/automation/workflows/contract';
import type { useApiClient } from '../../../lib/api.ts';
import { type Outlet, outletsOf } from '../steps/outlets.rules.ts';
import type { StepInput } from '../steps/step-views.ts';
import type { Place } from './graph-context.ts';

/** Changes of the graph that take several requests. If one is refused, the earlier ones are undone. */

type Client = ReturnType<typeof useApiClient>;
type Way = Pick<Outlet, 'branch' | 'waitOutcome'>;

/** An outlet as the API accepts it, without the keys that do not apply. */
export const outletInput = ({ branch, waitOutcome }: Way) => ({
  ...(branch !== null && { branch }),
  ...(waitOutcome !== null && { waitOutcome }),
});

/**
 * Adds a step after an outlet. If a step followed there, the new step is connected to it by its first outlet.
 * Returns the id of the new step.
 */
export async function addStepAt(
  { workflows }: Client,
  id: string,
  { from, outlet, to, at }: Place,
  step: StepInput,
): Promise<string> {
  const added = await workflows.addStep.mutate({ ...step, id, position: at, autoConnect: false });
  const join = (fromStepId: string, toStepId: string, way: Way) =>
    workflows.addTransition.mutate({ id, fromStepId, toStepId, ...outletInput(way) });
  // The old transition still exists here, so deleting the new step deletes no other step.
  const undo = () => workflows.deleteStep.mutate({ id, stepId: added.id });
  const [onward] = outletsOf(added, []);
  try {
    if (to && onward) await join(added.id, to.id, onward);
    if (outlet.transition)
      await workflows.deleteTransition.mutate({ id, transitionId: outlet.transition.id });
  } catch (error) {
    await undo();
    throw error;
  }
  try {
    await join(from.id, added.id, outlet);
  } catch (error) {
    if (to) await join(from.id, to.id, outlet);
    await undo();
    throw error;
  }
  return added.id;
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
