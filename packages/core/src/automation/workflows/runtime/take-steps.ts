import type { SqlDb, StepType } from '../../../base/db/index.ts';
import { newId } from '../../../base/lib/index.ts';
import { stepRun, visitOf } from '../steps/step-runs.ts';
import { outcomeIsGone } from '../versions/move.rules.ts';
import {
  type ExecutionState,
  type LockedExecution,
  type Progress,
  removeExecution,
  type StepExecutionRow,
  type StepNode,
  type StepRecord,
  writeProgress,
} from './execution.store.ts';
import { runMany } from './run-many.ts';
import type { StepContext, StepResult } from './step-result.ts';
import type { StepsResult } from './tick-result.ts';
import { nextStep, outcomeOf } from './transitions.rules.ts';

type ExecutionPosition = StepContext['state'];

/**
 * Whether the step is over: completed elsewhere, as the dispatcher completes waits, or reached a second time after a move. It does not run
 * again.
 */
export const isCompleted = ({ state }: StepContext): boolean =>
  state.stepExecution?.status === 'COMPLETED' || state.stepExecution?.status === 'SKIPPED';

/**
 * Runs the current step of a locked execution, and the following ones as long as they need only this transaction.
 * Their results are written at the end, in one statement.
 *
 * @param visits receives each step before it runs
 */
export async function takeSteps(
  db: SqlDb,
  first: StepContext,
  most: number,
  visits: StepContext[],
): Promise<StepsResult> {
  const records: StepRecord[] = [];
  const met = new Set(first.state.takenSteps);
  let joined: Progress['context'] = {};
  for (let context = first; ; ) {
    visits.push(context);
    const { state } = context;
    const stepExecution = state.stepExecution ?? freshRow();
    const result = await take(db, context, stepExecution);
    if (result.kind === 'gone') return remove(db, state);
    const applied = applyResult(state, state.step.id, stepExecution.id, result);
    if (!isCompleted(context)) records.push(applied.record);
    joined = { ...joined, ...applied.progress.context };
    met.add(state.step.id);
    const { next } = applied;
    if (!next || met.has(next.id) || visits.length >= most || !joins(next, visits)) {
      await writeProgress(db, state, records, { ...applied.progress, context: joined }, state.runsBy);
      return applied.taken;
    }
    context = { ...context, state: goTo(state, next, applied.progress.context) };
  }
}

/** Writes the result of one step that already has a row. */
export async function writeResult(
  db: SqlDb,
  execution: LockedExecution,
  state: ExecutionPosition,
  stepExecutionId: string,
  result: StepResult,
): Promise<StepsResult> {
  if (result.kind === 'gone') return remove(db, execution);
  const { record, progress, taken } = applyResult(state, state.step.id, stepExecutionId, result);
  await writeProgress(db, execution, [record], progress, state.runsBy);
  return taken;
}

async function take(db: SqlDb, context: StepContext, stepExecution: StepExecutionRow): Promise<StepResult> {
  if (isCompleted(context)) {
    const output = stepExecution.output ?? {};
    const outcome = outcomeOf(output);
    // Of an outcome that is gone, the first way out.
    return outcomeIsGone(context.state.step, outcome)
      ? { kind: 'completed', output }
      : { kind: 'completed', output, outcome };
  }
  const { type } = context.state.step;
  const run = stepRun(type);
  if ('request' in run) throw new Error(`a step of type ${type} makes its request before its transaction`);
  const [result] = await runMany(run, [{ step: visitOf(context), transaction: { db, stepExecution } }]);
  if (!result) throw new Error(`a step of type ${type} gave no result`);
  return result;
}

const freshRow = (): StepExecutionRow => ({
  id: newId(),
  status: 'RUNNING',
  scheduledFor: null,
  output: null,
  error: null,
  startedAt: null,
});

const goTo = (state: ExecutionPosition, step: StepNode, joined: Progress['context']): ExecutionPosition => ({
  ...state,
  currentStepId: step.id,
  step,
  stepExecution: null,
  context: { ...state.context, ...joined },
});

function touchesOf(type: StepType): 'mail' | 'contact' | 'request' | undefined {
  const run = stepRun(type);
  return 'request' in run ? 'request' : run.touches;
}

/** Whether a step may run in the same transaction as the steps before it. */
function joins(next: StepNode, visits: readonly StepContext[]): boolean {
  const before = visits.map(({ state }) => touchesOf(state.step.type));
  if (before.includes('contact')) return false;
  switch (touchesOf(next.type)) {
    case 'mail':
      return !before.includes('mail');
    case 'contact':
    case 'request':
      return false;
    case undefined:
      return true;
  }
}

async function remove(db: SqlDb, { id }: Pick<LockedExecution, 'id'>): Promise<StepsResult> {
  await removeExecution(db, id);
  return { kind: 'end' };
}

interface AppliedResult {
  record: StepRecord;
  progress: Progress;
  taken: StepsResult;
  /** the next step, if it continues immediately */
  next: StepNode | null;
}

/** The effects of a result on the row of its step and on the execution. */
function applyResult(
  { graph }: Pick<ExecutionState, 'graph'>,
  stepId: string,
  id: string,
  result: Exclude<StepResult, { kind: 'gone' }>,
): AppliedResult {
  const record = {
    id,
    stepId,
    scheduledFor: null,
    output: result.output ?? null,
    error: null,
    eventId: null,
  };
  const stays = { currentStepId: stepId, resumeAt: null, exitReason: null, context: {}, seen: true };
  switch (result.kind) {
    case 'parked': {
      const { stepStatus, status, until, lookAgain = false } = result;
      return {
        record: { ...record, status: stepStatus, scheduledFor: until },
        progress: { ...stays, status, resumeAt: until, seen: !lookAgain },
        taken: lookAgain ? { kind: 'moved' } : { kind: 'wait', until: until?.getTime() ?? null },
        next: null,
      };
    }
    case 'failed':
      return {
        record: { ...record, status: 'FAILED', error: result.error },
        progress: { ...stays, status: 'FAILED', exitReason: result.error },
        taken: { kind: 'end' },
        next: null,
      };
    case 'exited':
      return {
        record: { ...record, status: 'COMPLETED' },
        progress: { ...stays, status: 'EXITED', exitReason: result.reason },
        taken: { kind: 'end' },
        next: null,
      };
    case 'completed': {
      const waysOut = graph.transitions.filter(({ fromStepId }) => fromStepId === stepId);
      const nextId = nextStep(waysOut, result.outcome ?? {});
      const ended = nextId === null;
      return {
        record: { ...record, status: 'COMPLETED', eventId: result.eventId ?? null },
        progress: {
          ...stays,
          status: ended ? 'COMPLETED' : 'RUNNING',
          currentStepId: nextId,
          context: result.context ?? {},
          seen: ended,
        },
        taken: ended ? { kind: 'end' } : { kind: 'moved' },
        next: graph.steps.find((step) => step.id === nextId) ?? null,
      };
    }
  }
}
