import type { ExecutionDetail, ListedWorkflowVersion } from '../../../lib/api.ts';
import { isActive } from './execution-status.tsx';

type Run = Pick<ExecutionDetail, 'status' | 'version'> & {
  stepExecutions: readonly Pick<ExecutionDetail['stepExecutions'][number], 'version'>[];
};
type Versions = readonly Pick<ListedWorkflowVersion, 'version' | 'movedTo'>[];

/**
 * The version whose graph shows the way of an execution: that by which it goes on, or the last one that decided a step of one that has ended.
 * Null for one that a service of an earlier release has begun.
 */
export function versionRun({ status, version, stepExecutions }: Run, versions: Versions): number | null {
  const decided = stepExecutions.reduce<number | null>(
    (latest, step) => (step.version === null ? latest : Math.max(latest ?? 0, step.version)),
    version,
  );
  if (decided === null || !isActive({ status })) return decided;
  const moves = new Map(versions.map((each) => [each.version, each.movedTo]));
  let runs = decided;
  // Moves lead to later versions only.
  for (let next = moves.get(runs); next != null && next > runs; next = moves.get(runs)) runs = next;
  return runs;
}

/** The version by which an execution goes on from each of its steps on where it is another than before, by the id of the step execution. */
export function movesBetween({
  version,
  stepExecutions,
}: Pick<Run, 'version'> & { stepExecutions: readonly { id: string; version: number | null }[] }): Map<
  string,
  number
> {
  const moves = new Map<string, number>();
  let last = version;
  for (const step of stepExecutions) {
    if (step.version === null || step.version === last) continue;
    if (last !== null) moves.set(step.id, step.version);
    last = step.version;
  }
  return moves;
}
