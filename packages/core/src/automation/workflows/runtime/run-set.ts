import { byKeys, plainTransaction, retryConflicts, type SqlDb } from '../../../base/db/index.ts';
import type { Services } from '../../../base/kernel/index.ts';
import { observeExecutionDelay } from '../../../base/kernel/metrics.ts';
import { notifyOutbox, withdrawEmails } from '../../../mail/ledger/index.ts';
import { conditionExits } from '../definitions/ends.rules.ts';
import { planOf } from '../definitions/plan.rules.ts';
import { type Lineage, readDefinitionsOf } from '../definitions/read-definitions.store.ts';
import { cancelReasons } from '../exit-reasons.rules.ts';
import { placeAfter } from '../versions/move.rules.ts';
import { exitMoved, placeMoved } from '../versions/move-job.store.ts';
import { applyEnds, type EndingRow } from './apply-ends.ts';
import type { FillInInput } from './fill-in.task.ts';
import type { FilledTexts } from './fill-in.ts';
import { joinTraces } from './join-traces.ts';
import type { Member, StepRow } from './member.ts';
import {
  type ClaimedRow,
  claim,
  endExecutions,
  existing,
  forgetEnded,
  holdGraph,
  type Progress,
  postpone,
  readSetting,
  removeExecutions,
  writeSet,
} from './set.store.ts';
import { setTools } from './set-tools.ts';
import { atStep } from './step-error.ts';
import { againMs } from './step-run.ts';
import { outcomeOf } from './transitions.rules.ts';
import { type Walked, type Walker, walk } from './walk.ts';

/** Whose executions a set takes. */
export interface SetUnit {
  projectId: string;
  workflowId: string;
}

export interface SetOptions {
  /** executions at most */
  limit: number;
  /** these, whenever they are due */
  ids?: readonly string[];
  /** instead of the clock of the database */
  now?: Date;
  /** what threads have filled in for them */
  filledTexts?: FilledTexts;
  /** steps that can never succeed, by the ids of executions */
  failing?: ReadonlyMap<string, { stepId: string; reason: string }>;
  /** why each execution fails where it is, if none of them is to take a step */
  failingAll?: string;
  /** receives the ids of the executions before any step is taken */
  onClaimed?: (ids: readonly string[]) => void;
}

export interface SetResult {
  /** executions that it claimed */
  taken: number;
  /** texts that threads have to fill in before their executions go on, by the ids of these */
  needed: Map<string, FillInInput>;
}

/** A set neither runs long nor waits long: what it holds, others want. */
const settings = { ...byKeys, lock_timeout: '2s', statement_timeout: '10s' };

/**
 * Advances due executions of one workflow as far as they get, in one transaction: the rows of their steps, their emails, their changes of contacts
 * and their places commit together or not at all. Any number of sets of a workflow may run at a time; each skips what others hold.
 *
 * @throws what its statements throw, after the rollback; `StepError` if it was at a step
 */
export async function runSet(services: Services, unit: SetUnit, options: SetOptions): Promise<SetResult> {
  const { result, hasMail, hasChanges } = await retryConflicts(() =>
    plainTransaction(
      services.database.asyncCommit,
      (db) => inTransaction(services, db, unit, options),
      settings,
    ),
  );
  if (hasMail) notifyOutbox(services, unit.projectId);
  if (hasChanges) services.scheduleFollowUps(unit.projectId);
  return result;
}

interface Outcome {
  result: SetResult;
  hasMail: boolean;
  hasChanges: boolean;
}

const nothing = (taken = 0): Outcome => ({
  result: { taken, needed: new Map() },
  hasMail: false,
  hasChanges: false,
});

async function inTransaction(
  services: Services,
  db: SqlDb,
  { projectId, workflowId }: SetUnit,
  { limit, ids, now: given, filledTexts = new Map(), failing, failingAll, onClaimed }: SetOptions,
): Promise<Outcome> {
  await holdGraph(db, workflowId);
  const rows = await claim(db, { projectId, workflowId, limit, ids, now: given });
  const [first] = rows;
  if (!first) return nothing();
  const { now } = first;
  onClaimed?.(rows.map(({ id }) => id));
  await joinTraces(db, projectId, () => rows.map(({ sourceEventId }) => sourceEventId));
  // Those that are named were claimed before, or are tried alone.
  if (!ids) for (const { lateMs } of rows) observeExecutionDelay(lateMs);
  const setting = await readSetting(db, projectId, workflowId);
  const active = await settleEnded(db, rows);
  if (setting === null || setting.workflowName === null) {
    await removeExecutions(db, idsOf(active));
    return nothing(rows.length);
  }
  const { project, workflowName, cancelledAt } = setting;
  const cancelled = active.filter(
    ({ startedAt, retriedAt }) => cancelledAt !== null && (retriedAt ?? startedAt) < cancelledAt,
  );
  const stopped = project.stopped ? active.filter((row) => !cancelled.includes(row)) : [];
  await endExecutions(db, idsOf(cancelled), cancelReasons.user);
  await endExecutions(db, idsOf(stopped), cancelReasons.project);
  const going = active.filter((row) => !cancelled.includes(row) && !stopped.includes(row));
  const lineageOf = await readDefinitionsOf(
    db,
    going.map(({ version }) => ({ workflowId, version })),
  );
  const present = await withContact(db, projectId, going, now);
  const moved = await afterMoves(db, present, ({ version }) => lineageOf({ workflowId, version }));
  if (moved.length === 0) return nothing(rows.length);
  const { placed, resting } = await applyEnds(db, { projectId, workflowId }, moved, {
    now,
    timeZone: project.timeZone,
  });
  const { tools, gathered } = setTools(
    services,
    db,
    project,
    { id: workflowId, name: workflowName },
    filledTexts,
  );
  const walked: Walked = { records: [], progress: resting.map(restingProgress), gone: [], exited: [] };
  // Executions of several versions may run the same one.
  for (const together of Map.groupBy(placed, ({ runs }) => runs?.version).values()) {
    const runs = together[0]?.runs;
    const part = await walk(together.map(walkerOf), {
      // Where nothing is defined, no step exists.
      plan: planOf(runs ?? { steps: [], transitions: [] }),
      version: runs?.version ?? null,
      project,
      workflow: { id: workflowId, name: workflowName, timeZone: runs?.timeZone ?? null },
      services,
      now,
      tools,
      exits: conditionExits(runs ?? { exits: [] }),
      ...(failing && { failing }),
      ...(failingAll !== undefined && { failingAll }),
    });
    walked.records.push(...part.records);
    walked.progress.push(...part.progress);
    walked.gone.push(...part.gone);
    walked.exited.push(...part.exited);
  }
  await gathered.writeEmails();
  await withdrawEmails(db, projectId, walked.exited, 'exited');
  const { records, progress, gone } = walked;
  await removeExecutions(db, gone);
  await atStep(records[0]?.stepId ?? null, () =>
    writeSet(db, { projectId, now, records, progress, requests: gathered.requests }),
  );
  const { needed, hasMail, hasChanges } = gathered;
  return { result: { taken: rows.length, needed }, hasMail, hasChanges };
}

const idsOf = (rows: readonly { id: string }[]): string[] => rows.map(({ id }) => id);

/** What ended elsewhere is due no more. @returns the others */
async function settleEnded(db: SqlDb, rows: readonly ClaimedRow[]): Promise<ClaimedRow[]> {
  const isActive = ({ status }: ClaimedRow) => status === 'RUNNING' || status === 'WAITING';
  await forgetEnded(db, idsOf(rows.filter((row) => !isActive(row))));
  return rows.filter(isActive);
}

type PresentRow = ClaimedRow & { email: string };

/** Executions of deleted contacts are deleted; those whose contact is being erased come again when it is known whether it stays. @returns the others */
async function withContact(
  db: SqlDb,
  projectId: string,
  rows: readonly ClaimedRow[],
  now: Date,
): Promise<PresentRow[]> {
  const without = rows.filter(({ email }) => email === null);
  if (without.length > 0) {
    const held = await existing(
      db,
      projectId,
      without.map(({ contactId }) => contactId),
    );
    const isHeld = ({ contactId }: ClaimedRow): boolean => held.has(contactId);
    await postpone(db, idsOf(without.filter(isHeld)), new Date(now.getTime() + againMs.held));
    await removeExecutions(db, idsOf(without.filter((row) => !isHeld(row))));
  }
  return rows.filter((row): row is PresentRow => row.email !== null);
}

type PlacedRow = EndingRow<PresentRow>;

/** Those that a set meets before the job of their move are treated as the job would. @returns the executions that go on */
async function afterMoves(
  db: SqlDb,
  rows: readonly PresentRow[],
  lineageOf: (row: ClaimedRow) => Lineage | undefined,
): Promise<PlacedRow[]> {
  const placed: PlacedRow[] = [];
  const exiting: string[] = [];
  const going = new Map<string, string[]>();
  for (const row of rows) {
    const lineage = lineageOf(row);
    const place =
      row.currentStepId === null || !lineage
        ? { kind: 'stays' as const }
        : placeAfter(row.currentStepId, lineage.versions);
    if (place.kind === 'exits') exiting.push(row.id);
    else if (place.kind === 'stays') placed.push({ row, runs: lineage?.runs, lineage });
    else {
      const { stepId } = place;
      going.set(stepId, [...(going.get(stepId) ?? []), row.id]);
      placed.push({
        row: { ...row, status: 'RUNNING', currentStepId: stepId },
        runs: lineage?.runs,
        lineage,
      });
    }
  }
  if (exiting.length > 0) await exitMoved(db, exiting);
  for (const [stepId, ids] of going) await placeMoved(db, ids, stepId);
  return placed;
}

const walkerOf = ({ row, exit }: PlacedRow): Walker => ({
  member: memberOf(row),
  from: row.currentStepId,
  joined: {},
  ...(exit && { exit }),
});

/** One that an event woke while it waits for the result of its request goes on waiting. */
const restingProgress = ({ row }: PlacedRow): Progress => ({
  ...{ id: row.id, status: 'RUNNING', currentStepId: row.currentStepId, dueAt: null, exitReason: null },
  ...{ context: {}, anchorAt: row.anchorAt, anchorEventId: row.anchorEventId },
});

const memberOf = (row: PresentRow): Member => ({
  id: row.id,
  startedAt: row.startedAt,
  status: row.status,
  context: row.context,
  anchor: { at: row.anchorAt, eventId: row.anchorEventId },
  contact: {
    id: row.contactId,
    email: row.email,
    subscribed: row.subscribed,
    topicsOn: row.topicsOn,
    topicsOff: row.topicsOff,
    topicDefaults: row.topicDefaults,
    status: row.contactStatus,
    consentBasis: row.consentBasis,
    consentedAt: row.consentedAt?.toISOString() ?? null,
    data: row.data,
    createdAt: row.contactCreatedAt.toISOString(),
    updatedAt: row.contactUpdatedAt.toISOString(),
  },
  outputs: new Map(),
  rows: new Map(
    Object.entries(row.steps ?? {}).map(([stepId, step]): [string, StepRow] => [
      stepId,
      {
        id: step.id,
        status: step.status,
        scheduledFor: step.scheduledFor === null ? null : new Date(step.scheduledFor),
        error: step.error,
        outcome: outcomeOf({ branch: step.branch, waitOutcome: step.waitOutcome }),
        parked: step.parked ?? {},
      },
    ]),
  ),
});
