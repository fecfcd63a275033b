import { each, type StepRun } from '../runtime/step-run.ts';
import type { StepConfigs } from './steps.schema.ts';

export const triggerRun: StepRun<StepConfigs['TRIGGER']> = {
  runSet: (visits, { config: { eventName = null } }) =>
    each(visits, ({ member }) => ({
      kind: 'completed',
      output: { triggered: true, eventName, timestamp: member.startedAt.toISOString() },
    })),
};
