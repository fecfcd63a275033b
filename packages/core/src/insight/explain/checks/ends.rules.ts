import { type Finding, type Link, link, next, nothing } from './check.rules.ts';

/** The goal or exit rule that ended an execution, as its row says. */
export interface EndFact {
  kind: 'goal' | 'exit';
  name: string;
  goalId: string | null;
  eventId: string | null;
  at: Date | null;
}

/** What a row says of it; null for one that nothing of the kind ended. */
export function endFactOf(stored: unknown): EndFact | null {
  if (typeof stored !== 'object' || stored === null) return null;
  const { kind, name, goalId, eventId, at } = stored as Record<string, unknown>;
  if ((kind !== 'goal' && kind !== 'exit') || typeof name !== 'string') return null;
  const textOf = (value: unknown): string | null => (typeof value === 'string' ? value : null);
  const time = textOf(at);
  return {
    kind,
    name,
    goalId: textOf(goalId),
    eventId: textOf(eventId),
    at: time === null ? null : new Date(time),
  };
}

/** Where an execution ended, so that nothing of it is sent any more. */
interface Ended {
  workflowId: string;
  executionId: string;
  endedAt: Date | null;
}

/** Why an execution ended by a goal or an exit rule (behaviour B14.6), and with it the emails that were still waiting. */
export function endedBy(end: EndFact, { workflowId, executionId, endedAt }: Ended): Finding {
  const isGoal = end.kind === 'goal';
  const what = isGoal ? `goal “${end.name}”` : `exit rule “${end.name}”`;
  const ref: Link['ref'] = { type: 'execution', id: executionId };
  const facts = { name: end.name, ...(isGoal ? { goalId: end.goalId } : {}), eventId: end.eventId };
  return {
    cause: isGoal ? 'goal_reached' : 'exit_rule',
    headline: isGoal
      ? `The contact reached the ${what}, which ends the workflow`
      : `The ${what} of the workflow ended it`,
    links: [
      ...(end.eventId === null
        ? []
        : [
            link('event', 'information', `The event of the ${what} happened`, {
              at: end.at,
              facts: { eventId: end.eventId },
            }),
          ]),
      link('execution', 'stopped', `The ${what} ended the execution`, { at: endedAt, facts, ref }),
    ],
    next: [
      nothing('The workflow is made to end here', `workflows/${workflowId}`),
      next('workflows.update', isGoal ? 'Or only measure the goal' : 'Or remove the exit rule', {
        input: { id: workflowId },
        page: `workflows/${workflowId}`,
      }),
    ],
  };
}
