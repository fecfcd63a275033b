import { endReasons } from '../exit-reasons.rules.ts';
import { each, type StepRun } from '../runtime/step-run.ts';
import type { StepConfigs } from './steps.schema.ts';

export const exitRun: StepRun<StepConfigs['EXIT']> = {
  runSet: (visits, { config: { reason } }) => {
    const exitReason = reason ? reason : endReasons.exitStep;
    return each(visits, () => ({ kind: 'exited', output: { exitReason }, reason: exitReason }));
  },
};
