import { reachableFrom } from '@postrider/core/automation/workflows/contract';
import type { Workflow } from '../../../lib/api.ts';
import { missingIn } from '../steps/triggers/trigger-views.ts';

export interface Obstacle {
  text: string;
  /** the step with the problem */
  stepId: string | null;
}

type Built = Pick<Workflow, 'steps' | 'transitions' | 'triggerType' | 'triggerConfig'>;

/** Why a workflow should not be enabled: no contact could enter, nothing would happen, or a step would fail. */
export function obstaclesOf({ steps, transitions, triggerType, triggerConfig }: Built): Obstacle[] {
  const trigger = steps.find(({ type }) => type === 'TRIGGER');
  if (!trigger) return [];
  const stepId = trigger.id;
  const obstacles: Obstacle[] = [];
  const missing = missingIn({ triggerType, triggerConfig });
  if (missing !== null) obstacles.push({ text: missing, stepId });
  const reached = reachableFrom([stepId], transitions);
  if (reached.size === 0) obstacles.push({ text: 'Add a step after the trigger.', stepId: null });
  for (const { id, type, name, template } of steps) {
    if (type === 'SEND_EMAIL' && template === null && reached.has(id))
      obstacles.push({ text: `“${name}” has no template.`, stepId: id });
  }
  return obstacles;
}
