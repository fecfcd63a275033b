import { findGoals } from '../../../automation/goals/index.ts';
import type { Db } from '../../../base/db/index.ts';
import { amountOf, percent } from '../../../base/figures/index.ts';
import type { Period } from '../period.rules.ts';
import { branchesToGoal, type ExecutionScope, heldOutGroups, reachedGoals } from './goal-report.store.ts';
import { liftOf } from './lift.rules.ts';

export interface GoalsOfWorkflow {
  ids: readonly string[];
  /** executions that began in the period */
  entered: number;
  /** it has a SPLIT, which may hold contacts out */
  maySplit: boolean;
}

/** The goals of a workflow in the order of its definition. */
export async function goalFigures(
  db: Db,
  scope: ExecutionScope,
  { ids, entered, maySplit }: GoalsOfWorkflow,
  period: Period,
) {
  if (ids.length === 0) return [];
  const names = new Map((await findGoals(db, scope.projectId, ids)).map(({ id, name }) => [id, name]));
  const reached = new Map((await reachedGoals(db, scope, ids, period)).map((row) => [row.goalId, row]));
  const figures = [];
  for (const goalId of ids) {
    const { converted, value } = reached.get(goalId) ?? { converted: 0, value: null };
    const lift = maySplit ? liftOf(await heldOutGroups(db, scope, goalId, period)) : null;
    figures.push({
      goalId,
      name: names.get(goalId) ?? '',
      converted,
      rate: percent(converted, entered),
      value: amountOf(value),
      ...(lift && { lift }),
    });
  }
  return figures;
}

/** Of each branch that was taken, by the ids of the step and of the branch, who reached the first goal. */
export async function goalOfBranches(
  db: Db,
  scope: ExecutionScope,
  goalId: string | undefined,
  period: Period,
): Promise<ReadonlyMap<string, { converted: number; value: number }>> {
  if (goalId === undefined) return new Map();
  const rows = await branchesToGoal(db, scope, goalId, period);
  return new Map(
    rows.map(({ stepId, branch, converted, value }) => [
      `${stepId}/${branch}`,
      { converted, value: amountOf(value) },
    ]),
  );
}
