import type { SqlDb } from '../../../base/db/index.ts';
import type { Services } from '../../../base/kernel/index.ts';
import type { RunStep } from '../definitions/read-definitions.store.ts';
import type { Anchor, SetProject, SetWorkflow, Visit } from './member.ts';
import type { SetTools } from './set-tools.ts';
import type { StepOutcome } from './transitions.rules.ts';

type Json = Record<string, unknown>;

/** The step at which a set is. */
export interface StepAt<Config> {
  step: RunStep;
  config: Config;
  workflow: SetWorkflow;
  project: SetProject;
  services: Services;
  /** The time of the set: no step reads a clock. */
  now: Date;
  /** the ids of the steps of the definition, by their keys */
  stepIdOf(key: string): string | undefined;
}

export interface Holdout {
  heldOut: boolean;
  /** the part of the draw that goes on */
  share: number;
}

export type StepResult =
  | {
      kind: 'completed';
      output: Json;
      outcome?: StepOutcome;
      /** merged into the execution's context */
      context?: Json;
      /** the event that ended a wait */
      eventId?: string;
      /** the end of a step that takes time by design */
      anchor?: Anchor;
      /** what a SPLIT with a holdout has drawn */
      holdout?: Holdout;
    }
  | { kind: 'exited'; output: Json; reason: string }
  | { kind: 'failed'; error: string; output?: Json }
  /** It stays at the step; `until` null: until an event or the result of a request */
  | {
      kind: 'parked';
      stepStatus: 'SCHEDULED' | 'WAITING' | 'RUNNING';
      status: 'WAITING' | 'RUNNING';
      until: Date | null;
      output?: Json;
    }
  /** The step has not begun; another set takes it in so many milliseconds. */
  | { kind: 'left'; afterMs: number }
  /** The contact was deleted. */
  | { kind: 'gone' };

/** The runtime behaviour of a type of step. */
export interface StepRun<Config = unknown> {
  /**
   * The step for all executions of a set that are at it, in the transaction of the set.
   *
   * @returns one result for each, in their order
   * @throws what its statements throw; then the set is rolled back and divided
   */
  runSet(visits: readonly Visit[], at: StepAt<Config>, tools: SetTools): Promise<StepResult[]>;
  /** What the output of a completed step has in a test run, whose records are not kept. */
  rehearsed?(visit: Visit, at: StepAt<Config>, db: SqlDb): Promise<Json>;
}

/** The same result of a step that decides alone, for each visit. */
export const each = (visits: readonly Visit[], decide: (visit: Visit) => StepResult): Promise<StepResult[]> =>
  Promise.resolve(visits.map(decide));

/**
 * When a set tries again what another transaction holds; and when it takes what waits for a thread, if the process that fills it in has not
 * done so by then.
 */
export const againMs = { held: 50, texts: 5_000 } as const;
