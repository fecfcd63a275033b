import { type DelayConfig, delayMs } from '../../steps.schema.ts';
import type { Step } from '../step-result.ts';

export const delayStep: Step = {
  prepare({ standing, now }) {
    const config = standing.step.config as DelayConfig;
    return async (_db, _execution, stepExecution) => {
      const until = stepExecution.scheduledFor ?? new Date(now + delayMs(config));
      if (now < until.getTime()) return { kind: 'parked', stepStatus: 'SCHEDULED', status: 'WAITING', until };
      return {
        kind: 'completed',
        output: { delayAmount: config.amount, delayUnit: config.unit, resumeAt: until.toISOString() },
      };
    };
  },
};
