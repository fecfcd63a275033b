import type { SqlDb } from '../../../base/db/index.ts';
import type { Services } from '../../../base/kernel/index.ts';
import type { ExecutionState, Parking, StepExecutionRow } from './execution.store.ts';
import type { FilledTexts } from './fill-in.task.ts';
import type { StepOutcome } from './transitions.rules.ts';

type Json = Record<string, unknown>;

/** The result of a step. */
export type StepResult =
  | {
      kind: 'completed';
      output: Json;
      outcome?: StepOutcome;
      /** merged into the execution's context */
      context?: Json;
      /** the event that ended a wait */
      eventId?: string;
    }
  | { kind: 'exited'; output: Json; reason: string }
  | { kind: 'failed'; error: string; output?: Json }
  /** `lookAgain`: the event may have occurred before the row recorded the wait */
  | ({ kind: 'parked'; lookAgain?: boolean } & Parking)
  /** the contact was deleted concurrently */
  | { kind: 'gone' };

/** The input of a step. The execution state may be slightly outdated. */
export interface StepContext {
  services: Services;
  state: ExecutionState & {
    contact: NonNullable<ExecutionState['contact']>;
    step: NonNullable<ExecutionState['step']>;
  };
  /** milliseconds since the epoch, by the clock of the timers */
  now: number;
  /** what a thread has filled in for this step */
  filledTexts: FilledTexts;
}

/** The input of a step with its configuration. */
export interface StepVisit<Config> extends StepContext {
  config: Config;
}

/** The transaction that completes a step, its execution locked. */
export interface StepTransaction {
  db: SqlDb;
  stepExecution: StepExecutionRow;
}

/** One execution at a step, in the transaction that completes it. */
export interface TransactedVisit<Config> {
  step: StepVisit<Config>;
  transaction: StepTransaction;
}

export interface RunsInTransaction<Config> {
  /**
   * What the transaction writes besides the step's record. `mail`: an email, at most one per transaction, so that
   * two transactions never lock shared rows in different orders. `contact`: a change of the contact, which later
   * steps read again and which needs a separate transaction.
   */
  touches?: 'mail' | 'contact';
  /** The whole step, in the transaction that completes it. */
  run(step: StepVisit<Config>, transaction: StepTransaction): Promise<StepResult>;
  /**
   * The same for several executions at the step, in one transaction: one result for each, in their order, as if `run` had been called for one
   * after the other. A step without it is run like that (run-many.ts).
   */
  runMany?(visits: readonly TransactedVisit<Config>[]): Promise<StepResult[]>;
  /** Signals, after the commit. */
  afterwards?(step: StepContext): void;
  /** What the output of a completed step has in a test run, whose records are not kept. */
  rehearsed?(step: StepVisit<Config>, transaction: StepTransaction): Promise<Json>;
}

interface RequestsFirst<Config> {
  /**
   * The whole step, outside of any transaction, because it calls another service. Its result is recorded afterwards,
   * if the execution is still at the step; null if it is not.
   */
  request(step: StepVisit<Config>): Promise<StepResult | null>;
  /** What it would send, for a test run. @throws StepTextError */
  rehearsed(step: StepVisit<Config>): Promise<Json>;
}

/** The runtime behaviour of a step. */
export type StepRun<Config = unknown> = RunsInTransaction<Config> | RequestsFirst<Config>;
