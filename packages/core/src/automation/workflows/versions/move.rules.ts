import { eventsAwaited } from '../awaited-events.rules.ts';
import { type DelayConfig, delayMs } from '../steps/delay.step.ts';
import type { StepConfigs, StepType } from '../steps/steps.schema.ts';
import { branchesOf, outcomesOf } from '../workflows.rules.ts';

/** What a move does to an execution (behaviour B14.3), whoever meets it first: a job that rewrites people, or the runtime. */

export const timerRules = ['KEEP', 'RECOMPUTE'] as const;
export type TimerRule = (typeof timerRules)[number];

/** Stored with the version to which people are moved. */
export interface MoveRule {
  /** by the id of a step that it does not have: the id of the step where people go who are there; null ends their execution */
  removed: Record<string, string | null>;
  timers: TimerRule;
}

interface MovableStep {
  id: string;
  type: StepType;
  config: unknown;
}

interface MovableVersion {
  steps: readonly MovableStep[];
  move: MoveRule | null;
}

export type Place =
  | { kind: 'stays' }
  /** it goes on at another step */
  | { kind: 'goes'; stepId: string }
  /** its execution ends */
  | { kind: 'exits' };

/**
 * Where an execution is after its moves that was at a step. It came there by a version that has the step, so that only moves after the last of
 * these can take it from there: one before it says nothing about a step that was added later, or again. A step that no move names, because
 * no one was there when it was removed, ends the execution.
 *
 * @param versions as `Lineage.versions`: that with which it began, and those to which it was moved, in order
 */
export function placeAfter(stepId: string, versions: readonly MovableVersion[]): Place {
  const has = ({ steps }: MovableVersion, id: string): boolean => steps.some((step) => step.id === id);
  const last = versions.findLastIndex((version) => has(version, stepId));
  let at = stepId;
  for (const version of versions.slice(Math.max(0, last) + 1)) {
    if (has(version, at)) continue;
    const { move } = version;
    const target = move?.removed[at] ?? null;
    if (target === null) return { kind: 'exits' };
    at = target;
  }
  return at === stepId ? { kind: 'stays' } : { kind: 'goes', stepId: at };
}

/** How the wait of those at a step changes; null: not at all. */
export interface TimerChange {
  /**
   * milliseconds after the step began; null: no time ends it; `kept`: that which was told; a delay whose time differs by contact: computed for
   * each as of the beginning of the step
   */
  until: number | null | 'kept' | DelayConfig;
  /** it waits for other events, which may have occurred */
  looksAgain: boolean;
}

/** How long those wait who come to a step: milliseconds, or the delay if that differs by contact. */
function durationOf({ type, config }: MovableStep): number | DelayConfig | null {
  if (type === 'DELAY') {
    const delay = config as StepConfigs['DELAY'];
    const { amount, unit, windows } = delay;
    return amount === undefined || unit === undefined || windows ? delay : delayMs({ amount, unit });
  }
  const { timeout } = config as StepConfigs['WAIT_FOR_EVENT'];
  return timeout === undefined ? null : timeout * 1_000;
}

/** What a new configuration means for those who wait at the step. */
export function timerChange(before: MovableStep, after: MovableStep, timers: TimerRule): TimerChange | null {
  if (after.type !== 'DELAY' && after.type !== 'WAIT_FOR_EVENT') return null;
  const duration = durationOf(after);
  // Both are stored as JSON, in the same order of keys.
  const isOther = JSON.stringify(duration) !== JSON.stringify(durationOf(before));
  // Nothing told would remain of a timeout that is gone.
  const until = isOther && (timers === 'RECOMPUTE' || duration === null) ? duration : 'kept';
  const looksAgain =
    after.type === 'WAIT_FOR_EVENT' &&
    JSON.stringify(eventsAwaited(before.config as StepConfigs['WAIT_FOR_EVENT'])) !==
      JSON.stringify(eventsAwaited(after.config as StepConfigs['WAIT_FOR_EVENT']));
  return until === 'kept' && !looksAgain ? null : { until, looksAgain };
}

/**
 * Whether a recorded outcome still leads out of a step that an execution reaches again. If it is gone, the step is passed by its first
 * transition.
 */
export function outcomeIsGone(
  step: Pick<MovableStep, 'type' | 'config'>,
  { branch, waitOutcome }: { branch?: string; waitOutcome?: string },
): boolean {
  const branches = branchesOf({ type: step.type, config: step.config });
  if (branches) return branch === undefined || !branches.some(({ id }) => id === branch);
  const outcomes = outcomesOf({ type: step.type, config: step.config });
  return outcomes !== null && (waitOutcome === undefined || !outcomes.some((each) => each === waitOutcome));
}
