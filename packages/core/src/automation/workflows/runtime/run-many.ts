import type { RunsInTransaction, StepResult, TransactedVisit } from './step-result.ts';

/** Runs a step for several executions: all at once where it can, otherwise one after the other. */
export async function runMany<Config>(
  step: RunsInTransaction<Config>,
  visits: readonly TransactedVisit<Config>[],
): Promise<StepResult[]> {
  if (step.runMany && visits.length > 1) {
    const results = await step.runMany(visits);
    if (results.length !== visits.length)
      throw new Error(`a step gave ${results.length} results for ${visits.length} executions`);
    return results;
  }
  const results: StepResult[] = [];
  for (const visit of visits) results.push(await step.run(visit.step, visit.transaction));
  return results;
}
