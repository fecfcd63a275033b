import { endReasons } from '../exit-reasons.rules.ts';
import type { StepRun } from '../runtime/step-result.ts';
import type { StepConfigs } from './steps.schema.ts';

export const exitRun: StepRun<StepConfigs['EXIT']> = {
  async run({ config: { reason } }) {
    const exitReason = reason ? reason : endReasons.exitStep;
    return { kind: 'exited', output: { exitReason }, reason: exitReason };
  },
};
