import { type Db, refusalText } from '../../db/index.ts';
import { databaseCode, type Services } from '../../kernel/index.ts';
import { TemplateSyntaxError } from '../../templates/language/index.ts';
import {
  beginStep,
  closeStep,
  endExecution,
  findNeglected,
  type LockedExecution,
  lockExecution,
  markEndSeen,
  moveTo,
  park,
  readStanding,
  readTransitions,
  removeExecution,
  type Standing,
} from './execution.store.ts';
import { isActive, standsStill } from './stands-still.ts';
import type { StepContext, StepResult, StepWork } from './step-result.ts';
import { steps } from './steps/index.ts';
import { nextStep, outcomeOf, type StepOutcome } from './transitions.rules.ts';

/** What the workflow does next. Dates travel as milliseconds. */
export type ExecutionTurn =
  | { kind: 'end' }
  /** until null: for a poke */
  | { kind: 'wait'; until: number | null }
  /** there is more to do at once */
  | { kind: 'again' };

type Json = Record<string, unknown>;
type Taken = ExecutionTurn | { kind: 'moved' };

/** A turn ends after so long, that an activity stays short whatever the graph looks like. */
const turnMs = 20_000;

/**
 * Takes an execution as far as it goes now: step by step until it waits or ends. Each step completes in one transaction that
 * locks the execution, so that two turns at once, or one again after a crash, take each step once.
 *
 * @param clock milliseconds since the epoch
 * @throws errors of the infrastructure only; the turn is to be repeated then
 */
export async function advanceExecution(
  services: Services,
  executionId: string,
  clock: () => Promise<number>,
): Promise<ExecutionTurn> {
  const begin = performance.now();
  while (performance.now() - begin < turnMs) {
    const taken = await takeStep(services, executionId, await clock());
    if (taken.kind !== 'moved') return taken;
  }
  return { kind: 'again' };
}

async function takeStep(services: Services, executionId: string, now: number): Promise<Taken> {
  const { prisma } = services.database;
  const standing = await readStanding(prisma, executionId);
  if (!standing) return { kind: 'end' };
  const { contact, step, stepExecution } = standing;
  if (!isActive(standing.status)) {
    await markEndSeen(prisma, executionId);
    return { kind: 'end' };
  }
  if (!contact) {
    await removeExecution(prisma, executionId);
    return { kind: 'end' };
  }
  if (standing.projectStopped) {
    await endExecution(prisma, executionId, { status: 'CANCELLED', exitReason: 'Project disabled' });
    return { kind: 'end' };
  }
  if (!step) {
    await endExecution(prisma, executionId, {
      status: 'FAILED',
      exitReason: 'The step at which this execution stood was deleted',
    });
    return { kind: 'end' };
  }
  if (stepExecution?.status === 'COMPLETED') {
    return inStep(services, standing, (db, execution) =>
      goOn(db, execution, step.id, outcomeOf(stepExecution.output)),
    );
  }
  const context: StepContext = { services, standing: { ...standing, contact, step }, now };
  try {
    return await perform(context);
  } catch (error) {
    const reason = reasonOf(error);
    if (reason === null) throw error;
    services.log.info({ err: error, executionId, stepId: step.id }, 'a step failed');
    return inStep(services, standing, async (db, execution) =>
      record(db, execution, step.id, { kind: 'failed', error: reason }),
    );
  }
}

async function perform(context: StepContext): Promise<Taken> {
  const { services, standing } = context;
  const step = steps[standing.step.type];
  const work: StepWork | null = await step.prepare(context);
  if (!work) return { kind: 'moved' };
  const taken = await inStep(services, standing, async (db, execution) => {
    const stepExecution = await beginStep(db, execution, standing.step.id);
    return record(
      db,
      execution,
      standing.step.id,
      await work(db, execution, stepExecution),
      stepExecution.id,
    );
  });
  step.afterwards?.(context);
  return taken;
}

const transactionTimes = { maxWait: 10_000, timeout: 30_000 };

/** Runs `work` while the execution stands where it was read; when it no longer does, the next look says why. */
const inStep = (
  { database }: Services,
  standing: Standing,
  work: (db: Db, execution: LockedExecution) => Promise<Taken>,
): Promise<Taken> =>
  database.prisma.$transaction(async (db) => {
    const execution = await lockExecution(db, standing.id);
    if (!execution || !standsStill(execution, standing)) return { kind: 'moved' };
    return work(db, execution);
  }, transactionTimes);

async function record(
  db: Db,
  execution: LockedExecution,
  stepId: string,
  result: StepResult,
  stepExecutionId?: string,
): Promise<Taken> {
  const id = stepExecutionId ?? (await beginStep(db, execution, stepId)).id;
  switch (result.kind) {
    case 'gone':
      await removeExecution(db, execution.id);
      return { kind: 'end' };
    case 'parked':
      await park(db, execution, stepId, id, result);
      return result.lookAgain ? { kind: 'moved' } : { kind: 'wait', until: result.until?.getTime() ?? null };
    case 'failed':
      await closeStep(db, id, { status: 'FAILED', output: result.output ?? null, error: result.error });
      await standAt(db, execution, stepId);
      await endExecution(db, execution.id, { status: 'FAILED', exitReason: result.error });
      return { kind: 'end' };
    case 'exited':
      await closeStep(db, id, { status: 'COMPLETED', output: result.output });
      await standAt(db, execution, stepId);
      await endExecution(db, execution.id, { status: 'EXITED', exitReason: result.reason });
      return { kind: 'end' };
    case 'completed': {
      const { output, eventId } = result;
      await closeStep(db, id, { status: 'COMPLETED', output, ...(eventId === undefined ? {} : { eventId }) });
      return goOn(db, execution, stepId, result.outcome ?? {}, result.context);
    }
  }
}

/** An execution that ends in its very first step has not been written to stand there yet. */
async function standAt(db: Db, execution: LockedExecution, stepId: string): Promise<void> {
  if (execution.currentStepId !== stepId) await moveTo(db, execution.id, stepId);
}

async function goOn(
  db: Db,
  execution: LockedExecution,
  stepId: string,
  outcome: StepOutcome,
  mergedContext: Json | null = null,
): Promise<Taken> {
  const next = nextStep(await readTransitions(db, execution, stepId), outcome);
  if (next === null) {
    await endExecution(db, execution.id, { status: 'COMPLETED', exitReason: null, mergedContext });
    return { kind: 'end' };
  }
  await moveTo(db, execution.id, next, mergedContext);
  return { kind: 'moved' };
}

/** Why a step can never succeed, for the customer; null for everything that may work at the next attempt. */
function reasonOf(error: unknown): string | null {
  if (error instanceof TemplateSyntaxError)
    return `A text of this step is not a valid template: ${error.message}`;
  if (refusalText(error)?.startsWith('data_too_large:'))
    return 'The data of a contact takes at most 64 KiB of JSON; with this update it would be more';
  // Class 22 of SQLSTATE: a value that cannot be stored. It will not become another one by waiting.
  if (databaseCode(error)?.startsWith('22')) return 'A value of this step cannot be stored';
  return null;
}

/** Executions that `reconcile` pokes again. */
export const findNeglectedExecutions = ({ database }: Services, limit: number): Promise<string[]> =>
  findNeglected(database.prisma, limit);
