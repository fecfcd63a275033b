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
  /** the version before: a commit, or the folder of a clone that is ready to run; default the last commit with an earlier schema */
  before?: string | undefined;
}

export interface ScenarioResult {
  reports: LedgerReport[];
  /** other broken promises, one sentence each */
  problems: string[];
  /** figures and names worth printing */
  notes: string[];
  /** processes that were killed while they had email to send */
  kills?: number;
  /** default: none of all emails may become UNCERTAIN */
  uncertain?: UncertainCount;
}

export interface UncertainCount {
  /** numbers of UNCERTAIN emails, per kill where the scenario counts them so, else one for the whole run */
  samples: readonly number[];
  /** the largest that one of them may be; null if the scenario makes emails UNCERTAIN on purpose */
  most: number | null;
}

export interface Scenario {
  name: string;
  summary: string;
  recipients: number;
  /** how many seeds a series runs: one if the course does not depend on the seed, few if a run takes minutes */
  mostSeeds: number;
  run(options: ScenarioOptions): Promise<ScenarioResult>;
}

/** How many emails became UNCERTAIN. Without a count of the scenario, none of all its emails may. */
export const uncertainOf = ({ reports, uncertain }: ScenarioResult): UncertainCount =>
  uncertain ?? {
    samples: [reports.reduce((sum, report) => sum + report.uncertain.length + report.resent, 0)],
    most: 0,
  };

/** All problems of a result, those of its reports included. */
export function problemsOf(result: ScenarioResult): string[] {
  const { samples, most } = uncertainOf(result);
  const tooMany = samples.filter((sample) => most !== null && sample > most);
  return [
    ...result.problems,
    ...result.reports.flatMap((report) => report.problems),
    ...tooMany.map((sample) => `${sample} emails became UNCERTAIN, at most ${most} may`),
  ];
}
