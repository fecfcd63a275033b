import type { Prisma } from '../../../base/db/index.ts';
import type { Period } from '../../../base/figures/index.ts';
import type { StepSums } from './step-figures.store.ts';

type Execution = Prisma.WorkflowExecutionGetPayload<object>;
type Step = Prisma.WorkflowStepExecutionGetPayload<object>;

/** How long a step took, as figures tell it: written apart from the database's function. */
export function toldSeconds(ms: number): number {
  const seconds = Math.round(ms / 1_000);
  const unit = [
    [120, 1],
    [7_200, 60],
    [172_800, 600],
    [1_209_600, 3_600],
  ].find(([below = 0]) => seconds < below)?.[1];
  const by = unit ?? 86_400;
  return Math.max(0, Math.round(seconds / by) * by);
}

/** What figures are to say, counted from the rows. Without a period, what steps took is not told apart. */
export function told(
  workflowId: string,
  executions: readonly Execution[],
  steps: readonly Step[],
  period: Period | null,
): StepSums[] {
  const sums = new Map<string, StepSums>();
  const add = (
    at: Date | null,
    scopeId: string,
    column: 'entered' | 'left' | 'failed',
    outcome = '',
    spent = 0,
  ) => {
    if (!at || (period && (at < period.from || at >= period.to))) return;
    const key = `${scopeId} ${outcome} ${period ? spent : 0}`;
    const sum = sums.get(key) ?? {
      ...{ scopeId, outcome, spent: period ? spent : 0, entered: 0, left: 0, failed: 0, blocked: 0 },
    };
    sum[column] += 1;
    sums.set(key, sum);
  };
  for (const { status, startedAt, completedAt, exitReason } of executions) {
    add(startedAt, workflowId, 'entered');
    if (status === 'FAILED') add(completedAt, workflowId, 'failed');
    else if (status === 'EXITED') add(completedAt, workflowId, 'left', `EXITED:${exitReason}`);
    else if (status === 'COMPLETED' || status === 'CANCELLED') add(completedAt, workflowId, 'left', status);
  }
  for (const { stepId, status, startedAt, completedAt, output } of steps) {
    add(startedAt, stepId, 'entered');
    if (status === 'FAILED') add(completedAt, stepId, 'failed');
    if (status !== 'COMPLETED' || !completedAt) continue;
    const { branch, waitOutcome } = (output ?? {}) as { branch?: string; waitOutcome?: string };
    const spent = startedAt ? toldSeconds(completedAt.getTime() - startedAt.getTime()) : 0;
    add(completedAt, stepId, 'left', branch ?? waitOutcome ?? '', spent);
  }
  return [...sums.values()];
}
