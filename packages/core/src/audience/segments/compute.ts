import { type Db, inSavepoint, type NeglectedRow } from '../../base/db/index.ts';
import { type CommandContext, isFailingStatement, isFinal, type Services } from '../../base/kernel/index.ts';
import { awaitErasures } from '../contacts/index.ts';
import { setEventInterests } from '../events/index.ts';
import { eventsAmong } from './filters.rules.ts';
import { deepReads, findDependents, markSegmentsChanged } from './graph.store.ts';
import {
  addToCount,
  applyCondition,
  dropTouched,
  findStale,
  forgetDeletedContacts,
  lockTracked,
  type MembershipChange,
  markStale,
  readTouched,
  touchDependents,
} from './membership.store.ts';
import { findForPass, passOver } from './pass.ts';
import { computeSegmentJob } from './segments.jobs.ts';
import { isReported, nextCountAt, nextPassAt } from './segments.rules.ts';
import {
  countMatching,
  countMembers,
  findNeglected,
  findSegment,
  lockSegment,
  markComputed,
  markFailed,
  nextComputeAt,
  type SegmentRow,
  writeCount,
} from './segments.store.ts';

/** A million entries with their events take minutes, not seconds. */
const longTransaction = { maxWait: 30_000, timeout: 1_200_000 };

/** Reconcile comes every minute: what is due within the half of that is done now. */
const earlyMs = 30_000;

export interface Computed extends MembershipChange {
  total: number;
}

/** With when the segment is to be computed next; null for never. */
type Passed = Computed & { nextAt: Date | null };

/**
 * Computes a segment under its row lock, in one transaction: the membership of a tracked DYNAMIC one, with events; the count of
 * another one.
 *
 * @param projectId null for workflows, which know nothing but the id
 * @param isDue decides under the lock; otherwise nothing happens and the answer is null
 */
export async function compute(
  services: Services,
  projectId: string | null,
  segmentId: string,
  isDue: (segment: SegmentRow) => boolean,
): Promise<Computed | null> {
  const done = await services.database.prisma.$transaction(async (db) => {
    const segment = await lockSegment(db, projectId, segmentId);
    if (!segment || !isDue(segment)) return null;
    const { nextAt, ...computed } = segment.trackMembership
      ? await computeTracked(db, segment)
      : await recount(db, segment);
    await markComputed(db, segment, computed.total, nextAt);
    return { projectId: segment.projectId, computed };
  }, longTransaction);
  if (!done) return null;
  if (done.computed.added > 0) await forgetErased(services, done.projectId, segmentId);
  services.scheduleFollowUps(done.projectId);
  return done.computed;
}

/**
 * A computation reads contacts without locking them, as a lock of a million rows would keep erasures waiting for minutes: who was erased
 * meanwhile is forgotten afterwards, or by the next computation if this process ends before.
 */
async function forgetErased(
  { database: { prisma } }: Services,
  projectId: string,
  segmentId: string,
): Promise<void> {
  await prisma.$transaction((db) => awaitErasures(db, projectId));
  await prisma.$transaction(async (db) => {
    const segment = await lockSegment(db, projectId, segmentId);
    if (!segment) return;
    await forgetDeletedContacts(db, segment);
    await writeCount(db, segment, await countMembers(db, projectId, segment.id));
  }, longTransaction);
}

async function computeTracked(db: Db, segment: SegmentRow): Promise<Passed> {
  await forgetDeletedContacts(db, segment);
  const { fits, ...change } = await applyCondition(db, segment, null);
  await touchDependents(db, segment, change);
  const total = await countMembers(db, segment.projectId, segment.id);
  return { ...change, total, nextAt: await nextPassOf(db, segment, fits) };
}

/** Once a day for the moments of the next one; sooner where neither the wheel nor what happens to contacts says that something changed. */
async function nextPassOf(
  db: Db,
  { projectId, id, type, reads }: SegmentRow,
  fits: boolean,
): Promise<Date | null> {
  if (type !== 'DYNAMIC') return null;
  return fits && isReported(await deepReads(db, projectId, reads))
    ? nextPassAt(id, new Date())
    : nextComputeAt();
}

async function recount(db: Db, { projectId, type, condition }: SegmentRow): Promise<Passed> {
  const begun = performance.now();
  const total = condition ? await countMatching(db, projectId, condition) : 0;
  const nextAt = type === 'DYNAMIC' ? nextCountAt(performance.now() - begun, new Date()) : null;
  return { added: 0, removed: 0, total, nextAt };
}

/** A statement that fails because of another transaction succeeds when it is repeated. */
const attempts = 2;

/**
 * Computes a DYNAMIC segment if it changed since it was computed, is stale, or its time has come. A computation that fails for good
 * leaves its reason on the segment, and is repeated when the segment changes or its regular time comes.
 */
export async function computeIfDue(services: Services, segmentId: string): Promise<Computed | null> {
  let seen: bigint | null = null;
  const isDue = ({ type, wakeSeq, seenSeq, stale, nextComputeAt }: SegmentRow): boolean => {
    seen = wakeSeq;
    return (
      type === 'DYNAMIC' &&
      (wakeSeq > seenSeq ||
        stale ||
        (nextComputeAt !== null && nextComputeAt.getTime() <= Date.now() + earlyMs))
    );
  };
  const dueBefore = Date.now() + earlyMs;
  for (let attempt = 1; ; attempt += 1) {
    try {
      const segment = await findForPass(services, segmentId, dueBefore);
      if (!segment) return await compute(services, null, segmentId, isDue);
      seen = segment.wakeSeq;
      return await passOver(services, segment, dueBefore);
    } catch (error) {
      if (!isFinal(error) && !isFailingStatement(error)) throw error;
      if (attempt < attempts) continue;
      services.log.error({ err: error, segmentId }, 'a segment cannot be computed');
      if (seen !== null) await markFailed(services.database.prisma, segmentId, seen, 'computation_failed');
      return null;
    }
  }
}

/**
 * Follows one batch of touched contacts into the tracked segments of their project, and computes stale segments whole.
 *
 * @returns how many contacts it looked at, and how many of them are done: who is being written at this moment stays for later
 */
export async function refreshTouched(
  services: Services,
  projectId: string,
): Promise<{ touched: number; done: number }> {
  const { prisma } = services.database;
  for (const { id } of await findStale(prisma, projectId)) await computeIfDue(services, id);
  const result = await prisma.$transaction(async (db) => {
    await awaitErasures(db, projectId);
    const batch = await readTouched(db, projectId);
    if (batch.length === 0) return { touched: 0, done: 0 };
    const contactIds = batch.map(({ contactId }) => contactId);
    for (const id of await lockTracked(db, projectId)) {
      const segment = await findSegment(db, projectId, id);
      if (!segment) continue;
      await follow(db, segment, contactIds);
    }
    return { touched: batch.length, done: await dropTouched(db, projectId, batch) };
  }, longTransaction);
  if (result.touched > 0) services.scheduleFollowUps(projectId);
  return result;
}

/** Evaluates a locked tracked segment for these contacts. One that cannot be evaluated is left to be computed whole, and holds up no other. */
export async function follow(db: Db, segment: SegmentRow, contactIds: readonly string[]): Promise<void> {
  try {
    await inSavepoint(db, async () => {
      const change = await applyCondition(db, segment, contactIds);
      if (change.added + change.removed === 0) return;
      await addToCount(db, segment.id, change);
      await touchDependents(db, segment, change);
    });
  } catch (error) {
    if (!isFailingStatement(error)) throw error;
    await markStale(db, segment.projectId, [segment.id]);
  }
}

/** Stores which events a tracked segment waits for: those that its condition reads, also through the untracked segments it names. */
export async function updateInterests(
  db: Db,
  { projectId, id, type, trackMembership, reads }: SegmentRow,
): Promise<void> {
  const names =
    type === 'DYNAMIC' && trackMembership ? eventsAmong(await deepReads(db, projectId, reads)) : [];
  await setEventInterests(db, projectId, id, names);
}

/** What reads a segment that changed waits for other events now, and answers otherwise. */
export async function followChange(ctx: CommandContext, { projectId, id }: SegmentRow): Promise<void> {
  const dependents = await findDependents(ctx.db, projectId, id);
  for (const dependent of dependents) {
    const row = dependent.trackMembership ? await findSegment(ctx.db, projectId, dependent.id) : null;
    if (row) await updateInterests(ctx.db, row);
  }
  const ids = dependents.map((dependent) => dependent.id);
  await markSegmentsChanged(ctx.db, projectId, ids);
  for (const segmentId of ids) {
    ctx.afterCommit(() => ctx.services.workflows.signalDebounced(computeSegmentJob, { segmentId }));
  }
}

/** One page of segments for `reconcile` to signal. */
export const findNeglectedSegments = (
  services: Services,
  after: NeglectedRow | null,
  limit: number,
): Promise<NeglectedRow[]> => findNeglected(services.database.prisma, after, limit);
