import type { Scenario } from '../scenarios/scenario.ts';

export interface PlannedRun {
  scenario: Scenario;
  seed: number;
  recipients: number;
}

export interface RunChoice {
  scenarios: readonly Scenario[];
  /** the first seed; further ones follow it */
  seed: number;
  seeds: number;
  /** factor for the number of emails of every scenario */
  size: number;
  /** overrides the number of emails */
  recipients?: number | undefined;
}

/**
 * All runs, seed by seed, so that a series that is interrupted has run every scenario. A scenario can limit the number
 * of seeds.
 */
export function planRuns({ scenarios, seed, seeds, size, recipients }: RunChoice): PlannedRun[] {
  return Array.from({ length: seeds }, (_, index) => index).flatMap((index) =>
    scenarios
      .filter(({ mostSeeds }) => index < mostSeeds)
      .map((scenario) => ({
        scenario,
        seed: seed + index,
        recipients: recipients ?? Math.max(1, Math.round(scenario.recipients * size)),
      })),
  );
}
