import { each, type StepResult, type StepRun } from '../runtime/step-run.ts';
import { delayOf } from './delay-of.ts';
import type { StepConfigs } from './steps.schema.ts';

/** The anchor of what follows is the time that was waited for, however late a set comes. */
export const delayRun: StepRun<StepConfigs['DELAY']> = {
  runSet: (visits, { config, now, workflow, project }) =>
    each(visits, ({ row, member: { contact, context } }) => {
      if (row?.scheduledFor) return completedOrParked(config, row.scheduledFor, now, row.parked);
      const timeZone = workflow.timeZone ?? project.timeZone;
      const wake = delayOf(config, now.getTime(), { contact, context, timeZone });
      const why = { zone: wake.zone, reason: wake.reason };
      if (wake.exits)
        return { kind: 'exited', output: why, reason: `${config.until?.field} has no date ahead` };
      return completedOrParked(config, new Date(wake.at), now, why);
    }),
};

/** The time is computed once: what has changed since the step began changes nothing. */
function completedOrParked(
  { amount, unit }: StepConfigs['DELAY'],
  until: Date,
  now: Date,
  why: Readonly<Record<string, unknown>>,
): StepResult {
  if (now < until)
    return { kind: 'parked', stepStatus: 'SCHEDULED', status: 'WAITING', until, output: { ...why } };
  const length = amount === undefined ? {} : { delayAmount: amount, delayUnit: unit };
  return {
    kind: 'completed',
    output: { ...length, ...why, resumeAt: until.toISOString() },
    anchor: { at: until, eventId: null },
  };
}
