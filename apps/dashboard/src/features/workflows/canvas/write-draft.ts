import type { useApiClient, Workflow, WorkflowDefinition } from '../../../lib/api.ts';
import { draftOf } from './graph-edit.rules.ts';

/** Makes a definition the draft of a workflow, in place of the one that it may have. @returns it */
export async function writeDraft(
  { workflows }: ReturnType<typeof useApiClient>,
  id: string,
  { triggerType, triggerConfig, allowReentry, ...graph }: WorkflowDefinition,
): Promise<Workflow> {
  await workflows.update.mutate({ id, triggerType, triggerConfig, allowReentry, publish: false });
  return workflows.replaceGraph.mutate({ id, ...draftOf(graph), publish: false });
}
