import { median } from '@postrider/harness/statistics';
import type { RunRecord } from './run-record.ts';

/** All runs of one scenario. */
export interface Summary {
  scenario: string;
  runs: number;
  failed: number;
  seconds: number;
  mails: number;
  kills: number;
  lost: number;
  doubled: number;
  stranded: number;
  resent: number;
  /** null if no run counted them */
  uncertain: { least: number; median: number; most: number } | null;
  mostUncertain: number | null;
}

export function summarize(records: readonly RunRecord[]): Summary[] {
  return [...Map.groupBy(records, ({ scenario }) => scenario)].map(([scenario, runs]) => {
    const sum = (of: (run: RunRecord) => number): number => runs.reduce((total, run) => total + of(run), 0);
    const samples = runs.flatMap(({ uncertain }) => uncertain);
    const bounds = runs.flatMap(({ mostUncertain }) => mostUncertain ?? []);
    return {
      scenario,
      runs: runs.length,
      failed: runs.filter(({ problems }) => problems.length > 0).length,
      seconds: sum(({ seconds }) => seconds),
      mails: sum(({ mails }) => mails),
      kills: sum(({ kills }) => kills),
      lost: sum(({ lost }) => lost),
      doubled: sum(({ doubled }) => doubled),
      stranded: sum(({ stranded }) => stranded),
      resent: sum(({ resent }) => resent),
      uncertain:
        samples.length === 0
          ? null
          : { least: Math.min(...samples), median: median(samples), most: Math.max(...samples) },
      mostUncertain: bounds.length === 0 ? null : Math.max(...bounds),
    };
  });
}
