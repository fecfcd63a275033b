import { forceAll } from '@postrider/local/registry';
import type { ScenarioResult } from '../scenarios/scenario.ts';
import type { PlannedRun } from './plan-runs.ts';
import { type RunRecord, recordError, recordRun } from './run-record.ts';

export interface RunSettings {
  commit: string;
  /** a run that takes longer has failed; its processes are killed */
  timeoutMs: number;
  /** Generates code that is out of date first. */
  build: boolean;
  /** see `ScenarioOptions` */
  before?: string | undefined;
  log(line: string): void;
}

/** Runs a scenario once. Never rejects: an error is a problem of the run. */
export async function runOne(
  { scenario, seed, recipients }: PlannedRun,
  { commit, timeoutMs, build, before, log }: RunSettings,
): Promise<RunRecord> {
  const head = { scenario: scenario.name, seed, recipients, commit, at: new Date().toISOString() };
  const begun = performance.now();
  const elapsed = (): number => (performance.now() - begun) / 1_000;
  const stamped = (line: string): void => log(`[${elapsed().toFixed(1).padStart(6)} s] ${line}`);
  try {
    const result = await withinTime(
      scenario.run({ recipients, seed, log: stamped, build, before }),
      timeoutMs,
    );
    return recordRun(head, elapsed(), result);
  } catch (error) {
    return recordError(head, elapsed(), error);
  }
}

async function withinTime(running: Promise<ScenarioResult>, timeoutMs: number): Promise<ScenarioResult> {
  const late = Promise.withResolvers<never>();
  const timer = setTimeout(() => {
    forceAll();
    late.reject(new Error(`The run did not end within ${timeoutMs / 1_000} s.`));
  }, timeoutMs);
  try {
    return await Promise.race([running, late.promise]);
  } finally {
    clearTimeout(timer);
    // After a time-out, the run fails for want of its processes.
    running.catch(() => undefined);
  }
}
