import type { SqlDb } from '../../db/index.ts';
import type { Services } from '../../kernel/index.ts';
import type { ExecutionState, Parking, StepExecutionRow } from './execution.store.ts';
import type { StepOutcome } from './transitions.rules.ts';

type Json = Record<string, unknown>;

/** What a step came to. */
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
  /** `lookAgain`: something may have happened before the row said that it is waited for */
  | ({ kind: 'parked'; lookAgain?: boolean } & Parking)
  /** the contact was deleted meanwhile */
  | { kind: 'gone' };

/** What a step is given. Where it stands was read a moment ago. */
export interface StepContext {
  services: Services;
  state: ExecutionState & {
    contact: NonNullable<ExecutionState['contact']>;
    step: NonNullable<ExecutionState['step']>;
  };
  /** milliseconds since the epoch, by the clock of the timers */
  now: number;
}

/** A step that is taken, with its configuration. */
export interface StepVisit<Config> extends StepContext {
  config: Config;
}

/** The transaction that completes a step, its execution locked. */
export interface StepTransaction {
  db: SqlDb;
  stepExecution: StepExecutionRow;
}

interface RunsInTransaction<Config> {
  /**
   * What the transaction writes besides the step's record. `mail`: an email, of which a transaction has one, so that two of them
   * never lock what they share in different orders. `contact`: it changes the contact, which later steps read again, and has a
   * transaction of its own.
   */
  touches?: 'mail' | 'contact';
  /** The whole step, in the transaction that completes it. */
  run(step: StepVisit<Config>, transaction: StepTransaction): Promise<StepResult>;
  /** Signals, after the commit. */
  afterwards?(step: StepContext): void;
}

interface RequestsFirst<Config> {
  /**
   * The whole step, outside of any transaction: it calls another service. Its result is recorded in a transaction afterwards, if
   * the execution is still at the step. null: it no longer is.
   */
  request(step: StepVisit<Config>): Promise<StepResult | null>;
}

/** What a step does at run time. */
export type StepRun<Config = unknown> = RunsInTransaction<Config> | RequestsFirst<Config>;
