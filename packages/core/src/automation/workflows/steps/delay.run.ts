import type { StepRun } from '../runtime/step-result.ts';
import { delayMs } from './delay.step.ts';
import type { StepConfigs } from './steps.schema.ts';

export const delayRun: StepRun<StepConfigs['DELAY']> = {
  async run({ config, now }, { stepExecution }) {
    const until = stepExecution.scheduledFor ?? new Date(now + delayMs(config));
    if (now < until.getTime()) return { kind: 'parked', stepStatus: 'SCHEDULED', status: 'WAITING', until };
    return {
      kind: 'completed',
      output: { delayAmount: config.amount, delayUnit: config.unit, resumeAt: until.toISOString() },
    };
  },
};
