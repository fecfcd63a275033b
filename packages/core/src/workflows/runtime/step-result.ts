import type { SqlDb } from '../../db/index.ts';
import type { Services } from '../../kernel/index.ts';
import type { LockedExecution, Parking, Standing, StepExecutionRow } from './execution.store.ts';
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
  standing: Standing & {
    contact: NonNullable<Standing['contact']>;
    step: NonNullable<Standing['step']>;
  };
  /** milliseconds since the epoch, by the clock of the timers */
  now: number;
}

/** The part of a step that happens within the transaction that completes it, its execution locked. */
export type StepWork = (
  db: SqlDb,
  execution: LockedExecution,
  stepExecution: StepExecutionRow,
) => Promise<StepResult>;

export interface Step {
  /**
   * What a transaction makes of the step besides its record. `mail`: it writes an email, of which a transaction has one, so that two
   * of them never lock what they share in different orders. `contact`: it changes the contact, which those that follow read anew,
   * and has a transaction of its own. `request`: it asks somebody else before its transaction begins.
   */
  touches?: 'mail' | 'contact' | 'request';
  /** What comes before the transaction: a request to somebody else. null: the execution no longer stands here. */
  prepare(context: StepContext): StepWork | Promise<StepWork | null>;
  /** Hints, after the commit. */
  afterwards?(context: StepContext): void;
}
