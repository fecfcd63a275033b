import type { ExecutionStatus } from '../../../base/db/index.ts';
import type { Services } from '../../../base/kernel/index.ts';
import { newId } from '../../../base/lib/index.ts';
import type { ConditionExit } from '../definitions/ends.rules.ts';
import type { Plan } from '../definitions/plan.rules.ts';
import type { RunStep } from '../definitions/read-definitions.store.ts';
import { endReasons } from '../exit-reasons.rules.ts';
import { stepRun } from '../steps/step-runs.ts';
import { outcomeIsGone } from '../versions/move.rules.ts';
import type { Exit } from './find-ends.ts';
import type { Member, SetProject, SetWorkflow, Visit } from './member.ts';
import type { Progress, StepRecord } from './set.store.ts';
import type { SetTools } from './set-tools.ts';
import { atStep } from './step-error.ts';
import type { Holdout, StepResult } from './step-run.ts';
import type { StepOutcome } from './transitions.rules.ts';

type Json = Record<string, unknown>;

/** An execution where the walk begins, and what it gathers on its way. */
export interface Walker {
  readonly member: Member;
  /** the step at which it begins; null: at the trigger */
  readonly from: string | null;
  /** what the steps have merged into the context */
  joined: Json;
  /** what ends it here: at once, or after the step whose time came before */
  exit?: Exit & { afterOpenStep: boolean };
  /** what a SPLIT with a holdout has drawn */
  holdout?: Holdout;
}

export interface Walk {
  plan: Plan;
  /** whose plan it is; null for the rows of the steps */
  version: number | null;
  project: SetProject;
  workflow: SetWorkflow;
  services: Services;
  now: Date;
  tools: SetTools;
  /** what ends an execution that comes to a step with an effect outside of it */
  exits?: readonly ConditionExit[];
  /** A step that can never succeed for an execution, by the id of the execution: it fails there with the reason. */
  failing?: ReadonlyMap<string, { stepId: string; reason: string }>;
  /** why all of them fail at their first step */
  failingAll?: string;
  /** sees each result that is recorded, as test runs do */
  onResult?: (visit: Visit, step: RunStep, result: StepResult) => void;
}

export interface Walked {
  records: StepRecord[];
  progress: Progress[];
  /** executions whose contact was deleted */
  gone: string[];
  /** executions that a goal or an exit rule has ended */
  exited: string[];
}

/**
 * Walks executions through a definition, as far as they get at this moment. The steps are visited in their order, each once for all executions
 * that have got to it: a set makes at most one statement for a step, and none for steps that only decide.
 *
 * @throws StepError
 */
export async function walk(walkers: readonly Walker[], on: Walk): Promise<Walked> {
  const { plan } = on;
  const walked: Walked = { records: [], progress: [], gone: [], exited: [] };
  const places = new Map<string, Walker[]>();
  const put = (stepId: string, walker: Walker): void => {
    const there = places.get(stepId);
    if (there) there.push(walker);
    else places.set(stepId, [walker]);
  };
  for (const walker of walkers) {
    const step = walker.from === null ? plan.trigger : plan.step(walker.from);
    if (step) put(step.id, walker);
    else walked.progress.push(failed(walker, walker.from, null, endReasons.stepDeleted));
  }
  for (const step of plan.order) {
    const there = places.get(step.id);
    if (!there) continue;
    places.delete(step.id);
    await visitStep(there, step, on, walked, put);
  }
  // Only in a graph with a loop.
  for (const [stepId, there] of places)
    for (const walker of there) walked.progress.push(leftAt(walker, stepId, on.now));
  return walked;
}

async function visitStep(
  walkers: readonly Walker[],
  step: RunStep,
  on: Walk,
  walked: Walked,
  put: (stepId: string, walker: Walker) => void,
): Promise<void> {
  const open: { walker: Walker; visit: Visit }[] = [];
  for (const walker of walkers) {
    const { member, exit } = walker;
    if (exit && !(exit.afterOpenStep && step.id === walker.from)) {
      exitBy(walker, step.id, exit, walked);
      continue;
    }
    const row = member.rows.get(step.id) ?? null;
    const failing = on.failing?.get(member.id);
    // A step runs once: what was completed elsewhere, or before a move, is passed by its recorded outcome, or if that is gone, by its first way out.
    if (row?.status === 'COMPLETED' || row?.status === 'SKIPPED')
      pass(walker, step, outcomeIsGone(step, row.outcome) ? {} : row.outcome, on, walked, put);
    else if (row?.status === 'FAILED') walked.progress.push(failed(walker, step.id, step.key, row.error));
    else {
      // One that is retried begins anew, in its row.
      const begun = row?.status === 'PENDING' ? null : row;
      const visit = { member, row: begun, stepExecutionId: row?.id ?? newId() };
      const reason = on.failingAll ?? (failing?.stepId === step.id ? failing.reason : undefined);
      if (reason !== undefined)
        apply({ walker, visit }, step, { kind: 'failed', error: reason }, on, walked, put);
      else open.push({ walker, visit });
    }
  }
  const going = await withoutExits(open, step, on, walked);
  if (going.length === 0) return;
  const { project, workflow, services, now, tools } = on;
  const results = await atStep(step.id, () =>
    stepRun(step.type).runSet(
      going.map(({ visit }) => visit),
      { step, config: step.config, project, workflow, services, now, stepIdOf: on.plan.stepIdOf },
      tools,
    ),
  );
  going.forEach((place, index) => {
    const result = results[index];
    if (!result) throw new Error(`a step of type ${step.type} gave too few results`);
    apply(place, step, result, on, walked, put);
  });
}

/** Exit rules by a condition are asked before a step that sends, requests or changes something. @returns those that go on */
async function withoutExits(
  open: readonly { walker: Walker; visit: Visit }[],
  step: RunStep,
  { exits = [], tools, project: { timeZone }, now }: Walk,
  walked: Walked,
): Promise<readonly { walker: Walker; visit: Visit }[]> {
  // Of a step that has begun, the effect is under way.
  const asked = open.filter(({ visit }) => visit.row === null);
  if (exits.length === 0 || asked.length === 0 || !hasEffect.has(step.type)) return open;
  const found = await atStep(step.id, () =>
    tools.matches(
      asked.map(({ visit }) => visit.member),
      exits.map(({ condition }) => condition),
      { now, timeZone },
    ),
  );
  const ending = new Map(asked.map(({ walker }, index) => [walker, exits[found[index] ?? -1]]));
  return open.filter(({ walker }) => {
    const rule = ending.get(walker);
    if (!rule) return true;
    const { name } = rule;
    exitBy(walker, step.id, { reason: name, endedBy: { kind: 'exit', name } }, walked);
    return false;
  });
}

const hasEffect: ReadonlySet<RunStep['type']> = new Set(['SEND_EMAIL', 'WEBHOOK', 'UPDATE_CONTACT']);

function exitBy(walker: Walker, stepId: string, { reason, endedBy }: Exit, walked: Walked): void {
  walked.exited.push(walker.member.id);
  walked.progress.push({ ...ended(walker, stepId, 'EXITED', reason), endedBy });
}

function apply(
  { walker, visit }: { walker: Walker; visit: Visit },
  step: RunStep,
  result: StepResult,
  on: Walk,
  walked: Walked,
  put: (stepId: string, walker: Walker) => void,
): void {
  on.onResult?.(visit, step, result);
  const { member } = walker;
  const record = (status: StepRecord['status'], more: Partial<StepRecord> = {}): void => {
    walked.records.push({
      id: visit.stepExecutionId,
      executionId: member.id,
      stepId: step.id,
      status,
      scheduledFor: null,
      output: null,
      error: null,
      eventId: null,
      version: on.version,
      ...more,
    });
  };
  switch (result.kind) {
    case 'gone':
      walked.gone.push(member.id);
      return;
    case 'left':
      walked.progress.push(leftAt(walker, step.id, new Date(on.now.getTime() + result.afterMs)));
      return;
    case 'parked': {
      const { stepStatus, status, until, output = null } = result;
      record(stepStatus, { scheduledFor: until, output });
      walked.progress.push({ ...moved(walker, step.id), status, dueAt: until });
      return;
    }
    case 'failed':
      record('FAILED', { error: result.error, output: result.output ?? null });
      walked.progress.push(failed(walker, step.id, step.key, result.error));
      return;
    case 'exited':
      record('COMPLETED', { output: result.output });
      walked.progress.push(ended(walker, step.id, 'EXITED', result.reason));
      return;
    case 'completed': {
      const { output, outcome = {}, context, eventId = null, anchor } = result;
      record('COMPLETED', { output, eventId });
      if (context) {
        walker.joined = { ...walker.joined, ...context };
        member.context = { ...member.context, ...context };
      }
      if (anchor) member.anchor = anchor;
      member.outputs ??= new Map();
      member.outputs.set(step.key, output);
      if (result.holdout)
        walker.holdout = {
          heldOut: (walker.holdout?.heldOut ?? false) || result.holdout.heldOut,
          share: walker.holdout?.share ?? result.holdout.share,
        };
      pass(walker, step, outcome, on, walked, put);
    }
  }
}

function pass(
  walker: Walker,
  step: RunStep,
  outcome: StepOutcome,
  { plan }: Walk,
  walked: Walked,
  put: (stepId: string, walker: Walker) => void,
): void {
  const next = plan.next(step.id, outcome);
  if (next === null) walked.progress.push(ended(walker, null, 'COMPLETED', null));
  else if (plan.step(next)) put(next, walker);
  else walked.progress.push(failed(walker, next, null, endReasons.stepDeleted));
}

const moved = (
  { member, joined, holdout }: Walker,
  stepId: string | null,
): Omit<Progress, 'status' | 'dueAt'> => ({
  id: member.id,
  currentStepId: stepId,
  exitReason: null,
  context: joined,
  anchorAt: member.anchor.at,
  anchorEventId: member.anchor.eventId,
  ...(holdout && { heldOut: holdout.heldOut, drawnShare: holdout.share }),
});

const ended = (
  walker: Walker,
  stepId: string | null,
  status: Extract<ExecutionStatus, 'COMPLETED' | 'EXITED'>,
  exitReason: string | null,
): Progress => ({ ...moved(walker, stepId), status, exitReason, dueAt: null });

/** @param key of the step; null where that is gone */
const failed = (
  walker: Walker,
  stepId: string | null,
  key: string | null,
  error: string | null,
): Progress => ({
  ...moved(walker, stepId),
  status: 'FAILED',
  exitReason: error,
  failedStepKey: key,
  dueAt: null,
});

/** The step has not begun, or has not gone on. */
const leftAt = (walker: Walker, stepId: string, dueAt: Date): Progress => ({
  ...moved(walker, stepId),
  status: walker.member.rows.get(stepId)?.status === 'WAITING' ? 'WAITING' : 'RUNNING',
  dueAt,
});
