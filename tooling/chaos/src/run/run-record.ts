import type { LedgerReport } from '../ledger/compare-ledger-with-sink.ts';
import { problemsOf, type ScenarioResult, uncertainOf } from '../scenarios/scenario.ts';

/** One run of a scenario, as it is kept in the results file. */
export interface RunRecord {
  scenario: string;
  seed: number;
  /** emails or executions that were asked for */
  recipients: number;
  commit: string;
  /** ISO 8601 */
  at: string;
  seconds: number;
  mails: number;
  kills: number;
  lost: number;
  doubled: number;
  stranded: number;
  /** transactional emails that were sent once more because they were UNCERTAIN */
  resent: number;
  /** the number of UNCERTAIN emails, one value per kill where they are counted per kill, else one per run */
  uncertain: number[];
  /** the largest value that `uncertain` may have; null where the scenario makes emails UNCERTAIN on purpose */
  mostUncertain: number | null;
  problems: string[];
  notes: string[];
}

export type RunHead = Pick<RunRecord, 'scenario' | 'seed' | 'recipients' | 'commit' | 'at'>;

export function recordRun(head: RunHead, seconds: number, result: ScenarioResult): RunRecord {
  const { reports, kills = 0, notes } = result;
  const sum = (of: (report: LedgerReport) => number): number =>
    reports.reduce((total, report) => total + of(report), 0);
  const { samples, most } = uncertainOf(result);
  return {
    ...head,
    seconds,
    mails: sum(({ emails }) => emails),
    kills,
    lost: sum(({ faults }) => faults.lost),
    doubled: sum(({ faults }) => faults.doubled),
    stranded: sum(({ faults }) => faults.stranded),
    resent: sum(({ resent }) => resent),
    uncertain: [...samples],
    mostUncertain: most,
    problems: problemsOf(result),
    notes,
  };
}

/** A run that ended with an error instead of a result. */
export const recordError = (head: RunHead, seconds: number, error: unknown): RunRecord => ({
  ...head,
  seconds,
  mails: 0,
  kills: 0,
  lost: 0,
  doubled: 0,
  stranded: 0,
  resent: 0,
  uncertain: [],
  mostUncertain: null,
  problems: [error instanceof Error ? error.message : String(error)],
  notes: [],
});
