import type { LedgerReport } from '../ledger/compare-ledger-with-sink.ts';

export interface ScenarioOptions {
  /** contacts of the campaign, or requests of the burst */
  recipients: number;
  /** determines the times of the blows; the same seed makes the same plan */
  seed: number;
  /** receives one line per step of the run */
  log(line: string): void;
  /** see `ChaosStackOptions` */
  build?: boolean;
}

export interface ScenarioResult {
  reports: LedgerReport[];
  /** other broken promises, one sentence each */
  problems: string[];
  /** figures and names worth printing */
  notes: string[];
}

export interface Scenario {
  name: string;
  summary: string;
  recipients: number;
  run(options: ScenarioOptions): Promise<ScenarioResult>;
}

/** All problems of a result, those of its reports included. */
export const problemsOf = ({ reports, problems }: ScenarioResult): string[] => [
  ...problems,
  ...reports.flatMap((report) => report.problems),
];
