import {
  databaseCode,
  type NeglectedRow,
  plainTransaction,
  refusalOf,
  type SqlDb,
} from '../../../base/db/index.ts';
import type { Services } from '../../../base/kernel/index.ts';
import { cancelReasons, endReasons } from '../exit-reasons.rules.ts';
import { stepRun, visitOf } from '../steps/step-runs.ts';
import { exitMoved, placeMoved } from '../versions/move-job.store.ts';
import {
  beginStep,
  endExecution,
  findNeglected,
  lockById,
  lockExecution,
  markEndSeen,
  readExecutionState,
  removeExecution,
} from './execution.store.ts';
import { isActive, isUnchanged } from './execution-state.ts';
import type { FilledTexts } from './fill-in.task.ts';
import { fillInFirst, StepTextError, TextsNeededError } from './fill-in.ts';
import type { StepContext, StepResult } from './step-result.ts';
import { isCompleted, takeSteps, writeResult } from './take-steps.ts';
import type { StepsResult, TickResult } from './tick-result.ts';

export interface TickOptions {
  /** Whether this tick sends WEBHOOK requests, which may take long. */
  calls?: boolean;
  /** Once aborted, the tick ends after its current steps. */
  stopping?: AbortSignal;
  /** Whether each step gets a transaction of its own, so that a step that ends the worker is the recorded position. */
  singly?: boolean;
}

/** The longest tick, so that an activity stays short whatever the graph looks like. */
const tickMs = 20_000;
/** The maximum number of steps in one transaction, so that it stays short too. */
const stepsAtOnce = 20;

/**
 * One tick: advances an execution until it waits or ends. Steps complete in a transaction that locks the execution, often several
 * in one. Safe to run concurrently or repeatedly: each step runs once.
 *
 * @param clock milliseconds since the epoch
 * @throws only infrastructure errors, after which the tick is to be repeated
 */
export async function advanceExecution(
  services: Services,
  executionId: string,
  clock: () => Promise<number>,
  { calls = true, stopping, singly = false }: TickOptions = {},
): Promise<TickResult> {
  const begin = performance.now();
  let most = singly ? 1 : stepsAtOnce;
  const filledTexts: FilledTexts = new Map();
  while (performance.now() - begin < tickMs && stopping?.aborted !== true) {
    const taken = await advance(services, executionId, {
      now: await clock(),
      calls,
      most,
      filledTexts,
    });
    if (taken.kind === 'apart') most = 1;
    else if (taken.kind !== 'moved') return taken;
  }
  return { kind: 'again' };
}

interface Limits {
  now: number;
  calls: boolean;
  /** steps in this transaction */
  most: number;
  filledTexts: FilledTexts;
}

/** @returns `apart`: one of several steps can never succeed, so that each is to be taken in a separate transaction */
async function advance(
  services: Services,
  executionId: string,
  { now, calls, most, filledTexts }: Limits,
): Promise<StepsResult | { kind: 'apart' }> {
  const visits: StepContext[] = [];
  try {
    const taken = await inTransaction(services, async (db): Promise<StepsResult | { kind: 'request' }> => {
      const context = await readContext(services, db, executionId, { now, filledTexts });
      if (!context) return { kind: 'end' };
      if (!makesRequest(context) || isCompleted(context)) return takeSteps(db, context, most, visits);
      if (!calls) return { kind: 'call' };
      visits.push(context);
      return { kind: 'request' };
    });
    if (taken.kind === 'request') return await request(visits);
    for (const visit of visits) {
      const run = stepRun(visit.state.step.type);
      if ('run' in run) run.afterwards?.(visit);
    }
    return taken;
  } catch (error) {
    if (error instanceof TextsNeededError) {
      await fillInFirst(error);
      return { kind: 'moved' };
    }
    const reason = reasonOf(error);
    const [visit, ...others] = visits;
    if (reason === null || !visit) throw error;
    if (others.length > 0) return { kind: 'apart' };
    services.log.info({ err: error, executionId, stepId: visit.state.step.id }, 'a step failed');
    return record(visit, { kind: 'failed', error: reason });
  }
}

/**
 * Locks an execution and reads its state.
 *
 * @returns null when there is nothing left to do, which is recorded
 */
async function readContext(
  services: Services,
  db: SqlDb,
  executionId: string,
  limits: Pick<Limits, 'now' | 'filledTexts'>,
): Promise<StepContext | null> {
  const state = (await lockById(db, executionId)) ? await readExecutionState(db, executionId) : null;
  if (!state) return null;
  const { id, contact, step } = state;
  if (!isActive(state.status)) {
    await markEndSeen(db, id);
    return null;
  }
  if (!contact || state.workflowName === null) {
    await removeExecution(db, id);
    return null;
  }
  if (state.projectStopped) {
    await endExecution(db, id, { status: 'CANCELLED', exitReason: cancelReasons.project });
    return null;
  }
  if (state.place.kind === 'exits') {
    await exitMoved(db, [id]);
    return null;
  }
  if (state.place.kind === 'goes') {
    await placeMoved(db, [id], state.place.stepId);
    return readContext(services, db, executionId, limits);
  }
  if (!step) {
    await endExecution(db, id, {
      status: 'FAILED',
      exitReason: endReasons.stepDeleted,
    });
    return null;
  }
  return { services, state: { ...state, contact, step }, ...limits };
}

const makesRequest = ({ state }: StepContext): boolean => 'request' in stepRun(state.step.type);

/** Runs a step that calls another service, and records its result. */
async function request([visit]: readonly StepContext[]): Promise<StepsResult> {
  const run = visit && stepRun(visit.state.step.type);
  const result = run && 'request' in run ? await run.request(visitOf(visit)) : null;
  return visit && result ? record(visit, result) : { kind: 'moved' };
}

const inTransaction = <T>({ database }: Services, work: (db: SqlDb) => Promise<T>): Promise<T> =>
  plainTransaction(database.durable, work);

/** Records the result of a step if the execution is still there; otherwise the next transaction finds out why not. */
const record = ({ services, state }: StepContext, result: StepResult): Promise<StepsResult> =>
  inTransaction(services, async (db) => {
    const execution = await lockExecution(db, state);
    if (!execution || !isUnchanged(execution, state)) return { kind: 'moved' };
    const stepExecution = await beginStep(db, execution, state.step.id);
    return writeResult(db, execution, state, stepExecution.id, result);
  });

/** Ends an active execution as FAILED at its current step. */
export const failExecution = (services: Services, executionId: string, reason: string): Promise<void> =>
  inTransaction(services, async (db) => {
    const state = (await lockById(db, executionId)) ? await readExecutionState(db, executionId) : null;
    if (!state || !isActive(state.status)) return;
    const { contact, step } = state;
    if (!contact || !step) return endExecution(db, executionId, { status: 'FAILED', exitReason: reason });
    const { id } = await beginStep(db, state, step.id);
    await writeResult(db, state, { ...state, contact, step }, id, { kind: 'failed', error: reason });
  });

/** Why a step can never succeed, for the customer; null for errors that may not recur. */
export function reasonOf(error: unknown): string | null {
  if (error instanceof StepTextError) return error.message;
  if (refusalOf(error)?.rule === 'data_too_large')
    return 'The data of a contact can have at most 64 KiB of JSON. This update would exceed it';
  // Class 22 of SQLSTATE: a value that cannot be stored, which a retry does not change.
  if (databaseCode(error)?.startsWith('22')) return 'A value of this step cannot be stored';
  return null;
}

/** One page of executions for `reconcile` to signal, including those `overdueSeconds` past their time. */
export const findNeglectedExecutions = (
  { database }: Services,
  after: NeglectedRow | null,
  limit: number,
  overdueSeconds = 60,
): Promise<NeglectedRow[]> => findNeglected(database.prisma, after, limit, overdueSeconds);
