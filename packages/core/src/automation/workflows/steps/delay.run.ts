import type { StepResult, StepRun } from '../runtime/step-result.ts';
import { delayOf } from './delay-of.ts';
import type { StepConfigs } from './steps.schema.ts';

export const delayRun: StepRun<StepConfigs['DELAY']> = {
  async run({ config, now, state }, { stepExecution }) {
    const { scheduledFor, output: parked } = stepExecution;
    if (scheduledFor) return completedOrParked(config, scheduledFor, now, parked ?? {});
    const wake = delayOf(config, now, state);
    const why = { zone: wake.zone, reason: wake.reason };
    if (wake.exits)
      return { kind: 'exited', output: why, reason: `${config.until?.field} has no date ahead` };
    return completedOrParked(config, new Date(wake.at), now, why);
  },
};

/** The time is computed once: what has changed since the step began changes nothing. */
function completedOrParked(
  { amount, unit }: StepConfigs['DELAY'],
  until: Date,
  now: number,
  why: Record<string, unknown>,
): StepResult {
  if (now < until.getTime())
    return { kind: 'parked', stepStatus: 'SCHEDULED', status: 'WAITING', until, output: why };
  const length = amount === undefined ? {} : { delayAmount: amount, delayUnit: unit };
  return { kind: 'completed', output: { ...length, ...why, resumeAt: until.toISOString() } };
}
