import type { TriggerConfigInput, TriggerType } from '@postrider/core/automation/workflows/contract';
import type { useApiClient } from '../../../lib/api.ts';

type Client = ReturnType<typeof useApiClient>;

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
