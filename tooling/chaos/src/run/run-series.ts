import type { PlannedRun } from './plan-runs.ts';
import { appendRecord, keyOf, readRecords } from './results-file.ts';
import { runOne } from './run-one.ts';
import type { RunRecord } from './run-record.ts';

export interface SeriesSettings {
  commit: string;
  file: string;
  /** Skips the runs that the file has from one of these commits, the first of them preferred. */
  recorded: readonly string[];
  /** no run starts after this many minutes */
  minutes: number;
  timeoutMs: number;
  /** see `ScenarioOptions` */
  before?: string | undefined;
}

const mostProblems = 20;

/** Runs everything that is planned and records each run. @returns the records of the planned runs, and how many were not run */
export async function runSeries(
  planned: readonly PlannedRun[],
  { commit, file, recorded, minutes, timeoutMs, before }: SeriesSettings,
): Promise<{ records: RunRecord[]; missing: number }> {
  const begun = performance.now();
  const minutesSoFar = (): number => (performance.now() - begun) / 60_000;
  const known = new Map((await readRecords(file)).map((record) => [keyOf(record), record]));
  const records: RunRecord[] = [];
  let fresh = 0;
  for (const [index, run] of planned.entries()) {
    const { scenario, seed, recipients } = run;
    const [found] = recorded.flatMap(
      (of) => known.get(keyOf({ scenario: scenario.name, seed, recipients, commit: of })) ?? [],
    );
    if (found) {
      records.push(found);
      continue;
    }
    if (minutesSoFar() >= minutes) return { records, missing: planned.length - records.length };
    console.log(`\n── ${index + 1}/${planned.length} ${scenario.name}, seed ${seed}: ${scenario.summary}`);
    const record = await runOne(run, {
      ...{ commit, timeoutMs, before },
      build: fresh === 0,
      log: console.log,
    });
    fresh += 1;
    await appendRecord(file, record);
    records.push(record);
    describe(record);
    const left = planned.length - index - 1;
    if (left > 0) {
      const estimate = (minutesSoFar() / fresh) * left;
      console.log(
        `  ${minutesSoFar().toFixed(1)} minutes so far, about ${estimate.toFixed(0)} for the other ${left} runs`,
      );
    }
  }
  return { records, missing: 0 };
}

function describe({ notes, problems, seconds, kills, uncertain }: RunRecord): void {
  for (const note of notes) console.log(`  ${note}`);
  for (const problem of problems.slice(0, mostProblems)) console.log(`  PROBLEM: ${problem}`);
  if (problems.length > mostProblems) console.log(`  … and ${problems.length - mostProblems} more`);
  const outcome = problems.length === 0 ? 'passed' : `FAILED with ${problems.length} problems`;
  console.log(
    `  ${outcome} in ${seconds.toFixed(0)} s; ${kills} kills, UNCERTAIN: ${uncertain.join(', ') || 'not counted'}`,
  );
}
