import type { TriggerConfig } from '../../steps.schema.ts';
import type { Step } from '../step-result.ts';

export const triggerStep: Step = {
  prepare({ standing }) {
    const { eventName = null } = standing.step.config as Partial<TriggerConfig>;
    return async () => ({
      kind: 'completed',
      output: { triggered: true, eventName, timestamp: standing.startedAt.toISOString() },
    });
  },
};
