import { CronExpressionParser } from 'cron-parser';
import { Breath } from '../../base/lib/index.ts';
import type { ScheduledWorkflow, Span } from './calendar.store.ts';

export interface Tick {
  at: Date;
  workflow: ScheduledWorkflow;
}

/** The first times of several schedules in a span, in their order; one more than `most` where there are more. */
export async function firstTicks(
  workflows: readonly ScheduledWorkflow[],
  { from, to }: Span,
  most: number,
): Promise<Tick[]> {
  // A schedule takes place at the beginning of a span, too.
  const currentDate = new Date(from.getTime() - 1);
  const endDate = new Date(to.getTime() - 1);
  const breath = new Breath();
  const waiting: (Tick & { times: ReturnType<typeof CronExpressionParser.parse> })[] = [];
  const add = (workflow: ScheduledWorkflow, times: ReturnType<typeof CronExpressionParser.parse>) => {
    if (times.hasNext()) waiting.push({ workflow, times, at: times.next().toDate() });
  };
  for (const workflow of workflows) {
    add(workflow, CronExpressionParser.parse(workflow.cron, { tz: workflow.timeZone, currentDate, endDate }));
    await breath.take();
  }
  const ticks: Tick[] = [];
  while (waiting.length > 0 && ticks.length <= most) {
    const first = waiting.reduce((best, { at }, index) => (at < (waiting[best]?.at ?? at) ? index : best), 0);
    const [next] = waiting.splice(first, 1);
    if (!next) break;
    ticks.push({ at: next.at, workflow: next.workflow });
    add(next.workflow, next.times);
    await breath.take();
  }
  return ticks;
}
