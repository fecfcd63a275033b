import { Counter, register } from 'prom-client';

const name = 'postrider_task_limits_total';

/** Tasks that were stopped because they used up their CPU time or memory. One per process, like its registry. */
const taskLimits = (register.getSingleMetric(name) ??
  new Counter({
    name,
    help: 'Tasks that were stopped at their limit',
    labelNames: ['task'],
  })) as Counter<'task'>;

export const countTaskLimit = (task: string): void => taskLimits.inc({ task });
