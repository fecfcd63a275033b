import type { ExecutionDetail } from '../../../lib/api.ts';

/** What ended an execution wherever it was. */
export type EndedBy = 'goal' | 'exit';

type Ended = Pick<ExecutionDetail, 'status' | 'exitReason' | 'stepExecutions'>;

const ofGoal = 'Goal: ';

/** Whether a goal or an exit rule ended an execution, by its reason: an EXIT step has one too. */
export function endedBy(
  { status, exitReason, stepExecutions }: Ended,
  exits: readonly { name: string }[],
): EndedBy | null {
  if (status !== 'EXITED' || exitReason === null) return null;
  const last = stepExecutions.at(-1);
  if (last?.step?.type === 'EXIT' && last.status === 'COMPLETED') return null;
  if (exitReason.startsWith(ofGoal)) return 'goal';
  return exits.some(({ name }) => name === exitReason) ? 'exit' : null;
}

const sent: ReadonlySet<string> = new Set([
  'SENT',
  'DELIVERED',
  'OPENED',
  'CLICKED',
  'BOUNCED',
  'COMPLAINED',
]);

/** What became of an email of such an execution, which withdraws those that wait; null where that says nothing. */
export function fateInWords(
  { status, reason }: { status: string; reason: string | null },
  by: EndedBy,
): string | null {
  if (status === 'SKIPPED' && reason === 'exited') return `Withdrawn at the ${by}`;
  return sent.has(status) ? `Sent before the ${by}` : null;
}
