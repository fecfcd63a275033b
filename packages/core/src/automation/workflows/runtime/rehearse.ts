import { plainTransaction, type SqlDb } from '../../../base/db/index.ts';
import type { Services } from '../../../base/kernel/index.ts';
import { newId } from '../../../base/lib/index.ts';
import type { WaitOutcome } from '../steps/step.rules.ts';
import { stepRun, visitOf } from '../steps/step-runs.ts';
import { stepDefinition } from '../steps/steps.schema.ts';
import { reasonOf } from './advance-execution.ts';
import { readExecutionState, type StepExecutionRow } from './execution.store.ts';
import { fillInFirst, TextsNeededError } from './fill-in.ts';
import { insertRehearsal, moveRehearsal, type Rehearsal } from './rehearsal.store.ts';
import type { StepContext, StepResult } from './step-result.ts';
import { nextStep } from './transitions.rules.ts';

type Ended = Exclude<StepResult, { kind: 'parked' }>;

/** A step that a test run took. */
export interface RehearsedStep {
  step: StepContext['state']['step'];
  /** when it began and ended, as if its waits had passed */
  startedAt: Date;
  completedAt: Date;
  result: Exclude<Ended, { kind: 'gone' }>;
}

export interface RehearsalResult {
  steps: RehearsedStep[];
  /** The test took too long, and was stopped before the end. */
  stopped: boolean;
}

/** The longest test run: its transaction holds locks of the contact. */
const longestMs = 10_000;

/**
 * Runs a workflow for a contact by the code of the steps themselves, in a transaction that is rolled back: nothing is
 * written, sent or requested. Delays and timeouts pass at once; requests of WEBHOOK steps are taken for successful.
 *
 * @param waits how waits with a timeout end
 */
export async function rehearse(
  services: Services,
  start: Omit<Rehearsal, 'id'>,
  waits: WaitOutcome,
): Promise<RehearsalResult> {
  try {
    return await plainTransaction(services.database.durable, async (db): Promise<never> => {
      throw new RolledBack(await walk(services, db, { ...start, id: newId() }, waits));
    });
  } catch (error) {
    if (error instanceof RolledBack) return error.result;
    throw error;
  }
}

/** Ends the transaction of a test run, with its result. */
class RolledBack extends Error {
  readonly result: RehearsalResult;

  constructor(result: RehearsalResult) {
    super('a test run is rolled back');
    this.name = 'RolledBack';
    this.result = result;
  }
}

async function walk(
  services: Services,
  db: SqlDb,
  rehearsal: Rehearsal,
  waits: WaitOutcome,
): Promise<RehearsalResult> {
  const begin = performance.now();
  const steps: RehearsedStep[] = [];
  await insertRehearsal(db, rehearsal);
  for (let now = Date.now(); performance.now() - begin < longestMs; ) {
    const state = await readExecutionState(db, rehearsal.id);
    if (!state?.contact || !state.step) return { steps, stopped: false };
    const { contact, step, graph } = state;
    const context: StepContext = {
      services,
      state: { ...state, contact, step },
      now,
      filledTexts: new Map(),
    };
    const startedAt = new Date(now);
    const { result, until } = await takeOrFail(db, context, waits);
    if (result.kind === 'gone') return { steps, stopped: false };
    now = until ?? now;
    steps.push({ step, startedAt, completedAt: new Date(now), result });
    if (result.kind !== 'completed') return { steps, stopped: false };
    const waysOut = graph.transitions.filter(({ fromStepId }) => fromStepId === step.id);
    const next = nextStep(waysOut, result.outcome ?? {});
    if (next === null) return { steps, stopped: false };
    await moveRehearsal(db, rehearsal.id, next, result.context ?? {});
  }
  return { steps, stopped: true };
}

interface Taken {
  result: Ended;
  /** the end of its wait, milliseconds since the epoch; null if it did not wait for a time */
  until: number | null;
}

async function takeOrFail(db: SqlDb, context: StepContext, waits: WaitOutcome): Promise<Taken> {
  for (;;) {
    try {
      return await take(db, context, waits);
    } catch (error) {
      if (error instanceof TextsNeededError) {
        await fillInFirst(error);
        continue;
      }
      const reason = reasonOf(error);
      if (reason === null) throw error;
      return { result: { kind: 'failed', error: reason }, until: null };
    }
  }
}

async function take(db: SqlDb, context: StepContext, waits: WaitOutcome): Promise<Taken> {
  const { type } = context.state.step;
  const run = stepRun(type);
  const visit = visitOf(context);
  if ('request' in run) {
    return { result: { kind: 'completed', output: await run.rehearsed(visit) }, until: null };
  }
  const transaction = { db, stepExecution: row({ startedAt: new Date(context.now) }) };
  const first = await run.run(visit, transaction);
  if (first.kind === 'completed') {
    const added = await run.rehearsed?.(visit, transaction);
    return { result: { ...first, output: { ...first.output, ...added } }, until: null };
  }
  if (first.kind !== 'parked') return { result: first, until: null };
  const { stepStatus: status, until } = first;
  if (stepDefinition(type).waysOut.kind === 'outcomes' && (waits === 'EVENT' || until === null)) {
    const outcome = { waitOutcome: 'EVENT' } as const;
    const { eventName } = context.state.step.config;
    return { result: { kind: 'completed', output: { ...outcome, eventName }, outcome }, until: null };
  }
  // As if the time had passed: the events of the contact until now are not those that the step waits for.
  const end = until ?? new Date(context.now);
  const then = await run.run(
    { ...visit, now: end.getTime() },
    { db, stepExecution: row({ status, scheduledFor: end, startedAt: end }) },
  );
  if (then.kind === 'parked') throw new Error(`a step of type ${type} goes on waiting after its time`);
  return { result: then, until: end.getTime() };
}

const row = (given: Partial<StepExecutionRow>): StepExecutionRow => ({
  id: newId(),
  status: 'RUNNING',
  scheduledFor: null,
  output: null,
  error: null,
  startedAt: null,
  ...given,
});
