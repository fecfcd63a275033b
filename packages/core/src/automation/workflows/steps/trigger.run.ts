import type { StepRun } from '../runtime/step-result.ts';
import type { StepConfigs } from './steps.schema.ts';

export const triggerRun: StepRun<StepConfigs['TRIGGER']> = {
  async run({ config: { eventName = null }, state }) {
    return {
      kind: 'completed',
      output: { triggered: true, eventName, timestamp: state.startedAt.toISOString() },
    };
  },
};
