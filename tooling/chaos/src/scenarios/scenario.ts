import type { LedgerReport } from '../ledger/compare-ledger-with-sink.ts';

export interface ScenarioOptions {
  /** contacts of the campaign, or requests of the burst */
  recipients: number;
  /** chooses the moments; the same seed makes the same plan */
  seed: number;
  /** hears what happens, a line each */
  log(line: string): void;
  /** see `ChaosStackOptions` */
  build?: boolean;
}

export interface ScenarioResult {
  reports: LedgerReport[];
  /** what else was promised and not kept */
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

/** Everything that a result holds against the product. */
export const problemsOf = ({ reports, problems }: ScenarioResult): string[] => [
  ...problems,
  ...reports.flatMap((report) => report.problems),
];
