import { databaseCode, plainTransaction, refusalOf, type SqlDb } from '../../db/index.ts';
import type { Services } from '../../kernel/index.ts';
import { TemplateSyntaxError } from '../../templates/language/index.ts';
import { stepRun, visitOf } from '../steps/step-runs.ts';
import {
  beginStep,
  endExecution,
  findNeglected,
  lockById,
  lockExecution,
  markEndSeen,
  readStanding,
  removeExecution,
} from './execution.store.ts';
import type { ExecutionTurn, Taken } from './execution-turn.ts';
import { isActive, standsStill } from './stands-still.ts';
import type { StepContext, StepResult } from './step-result.ts';
import { isCompleted, takeSteps, writeResult } from './take-steps.ts';

export interface TurnOptions {
  /** Whether this turn makes WEBHOOK requests, which take as long as somebody else's host likes. */
  calls?: boolean;
  /** Once aborted, the turn ends after the steps at which it is. */
  stopping?: AbortSignal;
}

/** A turn ends after so long, that an activity stays short whatever the graph looks like. */
const turnMs = 20_000;
/** Steps that one transaction completes at most, so that it stays short as well. */
const stepsAtOnce = 20;

/**
 * Takes an execution as far as it goes now, until it waits or ends. Each step completes in a transaction that locks the execution,
 * often several in one, so that two turns at once, or one again after a crash, take each step once.
 *
 * @param clock milliseconds since the epoch
 * @throws errors of the infrastructure only; the turn is to be repeated then
 */
export async function advanceExecution(
  services: Services,
  executionId: string,
  clock: () => Promise<number>,
  { calls = true, stopping }: TurnOptions = {},
): Promise<ExecutionTurn> {
  const begin = performance.now();
  let most = stepsAtOnce;
  while (performance.now() - begin < turnMs && stopping?.aborted !== true) {
    const taken = await advance(services, executionId, { now: await clock(), calls, most });
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
}

/** @returns `apart`: one of several steps can never succeed, so that each is to be taken in a transaction of its own */
async function advance(
  services: Services,
  executionId: string,
  { now, calls, most }: Limits,
): Promise<Taken | { kind: 'apart' }> {
  const visits: StepContext[] = [];
  try {
    const taken = await inTransaction(services, async (db): Promise<Taken | { kind: 'request' }> => {
      const context = await lookAround(services, db, executionId, now);
      if (!context) return { kind: 'end' };
      if (!makesRequest(context) || isCompleted(context)) return takeSteps(db, context, most, visits);
      if (!calls) return { kind: 'call' };
      visits.push(context);
      return { kind: 'request' };
    });
    if (taken.kind === 'request') return await request(visits);
    for (const visit of visits) {
      const run = stepRun(visit.standing.step.type);
      if ('run' in run) run.afterwards?.(visit);
    }
    return taken;
  } catch (error) {
    const reason = reasonOf(error);
    const [visit, ...others] = visits;
    if (reason === null || !visit) throw error;
    if (others.length > 0) return { kind: 'apart' };
    services.log.info({ err: error, executionId, stepId: visit.standing.step.id }, 'a step failed');
    return record(visit, { kind: 'failed', error: reason });
  }
}

/**
 * Locks an execution and sees where it stands.
 *
 * @returns null, and it is written down, when there is nothing to be done any more
 */
async function lookAround(
  services: Services,
  db: SqlDb,
  executionId: string,
  now: number,
): Promise<StepContext | null> {
  const standing = (await lockById(db, executionId)) ? await readStanding(db, executionId) : null;
  if (!standing) return null;
  const { id, contact, step } = standing;
  if (!isActive(standing.status)) {
    await markEndSeen(db, id);
    return null;
  }
  if (!contact || standing.workflowName === null) {
    await removeExecution(db, id);
    return null;
  }
  if (standing.projectStopped) {
    await endExecution(db, id, { status: 'CANCELLED', exitReason: 'Project disabled' });
    return null;
  }
  if (!step) {
    await endExecution(db, id, {
      status: 'FAILED',
      exitReason: 'The current step of this execution was deleted',
    });
    return null;
  }
  return { services, standing: { ...standing, contact, step }, now };
}

const makesRequest = ({ standing }: StepContext): boolean => 'request' in stepRun(standing.step.type);

/** Takes a step that calls another service, and records its result. */
async function request([visit]: readonly StepContext[]): Promise<Taken> {
  const run = visit && stepRun(visit.standing.step.type);
  const result = run && 'request' in run ? await run.request(visitOf(visit)) : null;
  return visit && result ? record(visit, result) : { kind: 'moved' };
}

const inTransaction = <T>({ database }: Services, work: (db: SqlDb) => Promise<T>): Promise<T> =>
  plainTransaction(database.pool, work);

/** Records the result of a step if the execution is still there; if not, the next look says why. */
const record = ({ services, standing }: StepContext, result: StepResult): Promise<Taken> =>
  inTransaction(services, async (db) => {
    const execution = await lockExecution(db, standing);
    if (!execution || !standsStill(execution, standing)) return { kind: 'moved' };
    const stepExecution = await beginStep(db, execution, standing.step.id);
    return writeResult(db, execution, standing, stepExecution.id, result);
  });

/** Why a step can never succeed, for the customer; null for everything that may work at the next attempt. */
function reasonOf(error: unknown): string | null {
  if (error instanceof TemplateSyntaxError) return `This step contains an invalid template: ${error.message}`;
  if (refusalOf(error)?.rule === 'data_too_large')
    return 'The data of a contact can have at most 64 KiB of JSON. This update would exceed it';
  // Class 22 of SQLSTATE: a value that cannot be stored. It will not become another one by waiting.
  if (databaseCode(error)?.startsWith('22')) return 'A value of this step cannot be stored';
  return null;
}

/** Executions that `reconcile` pokes again, those `overdueSeconds` past their time among them. */
export const findNeglectedExecutions = (
  { database }: Services,
  limit: number,
  overdueSeconds = 60,
): Promise<string[]> => findNeglected(database.prisma, limit, overdueSeconds);
