import type { ExitConfig } from '../../steps.schema.ts';
import type { Step } from '../step-result.ts';

export const exitStep: Step = {
  prepare({ standing }) {
    const { reason } = standing.step.config as ExitConfig;
    const exitReason = reason ? reason : 'exit_step';
    return async () => ({ kind: 'exited', output: { exitReason }, reason: exitReason });
  },
};
