import type { Db } from '../../base/db/index.ts';
import type { Services } from '../../base/kernel/index.ts';
import { awaitErasures } from '../contacts/index.ts';
import { deepReads } from './graph.store.ts';
import {
  addToCount,
  applyCondition,
  forgetDeletedContacts,
  isTimed,
  type MembershipChange,
  touchDependents,
} from './membership.store.ts';
import { isReported, nextPassAt } from './segments.rules.ts';
import {
  countMembers,
  findSegmentOfAny,
  lockSegment,
  markComputed,
  nextComputeAt,
  readPart,
  type SegmentRow,
  savePosition,
} from './segments.store.ts';

/** Contacts of one transaction: the lock of the segment is held for less than a second. */
const perTransaction = 20_000;

const transactionOptions = { maxWait: 30_000, timeout: 300_000 };

/**
 * Whether a segment is due for its pass and for nothing else: then only time can have changed it, and what it did is on the wheel, so that its
 * contacts can be looked at in parts.
 */
const isPassDue = (segment: SegmentRow, dueBefore: number): boolean =>
  segment.type === 'DYNAMIC' &&
  segment.trackMembership &&
  !segment.stale &&
  segment.failedReason === null &&
  segment.computedAt !== null &&
  segment.wakeSeq <= segment.seenSeq &&
  segment.nextComputeAt !== null &&
  segment.nextComputeAt.getTime() <= dueBefore;

/** A segment whose regular computation is a pass in parts; null for any other, whose contacts its condition finds by indexes. */
export async function findForPass(
  { database: { prisma } }: Services,
  segmentId: string,
  dueBefore: number,
): Promise<SegmentRow | null> {
  const segment = await findSegmentOfAny(prisma, segmentId);
  if (!segment || !isPassDue(segment, dueBefore)) return null;
  return (await isTimed(prisma, segment)) &&
    isReported(await deepReads(prisma, segment.projectId, segment.reads))
    ? segment
    : null;
}

/**
 * Goes through the contacts of a project in the order of their creation, brings the members of a segment up to date, and fills the wheel for the
 * next day (behaviour B4.8). The position is in the row of the segment, so that a pass whose process is killed goes on where it was. It ends
 * early if the segment changes: then the segment is computed whole.
 */
export async function passOver(
  services: Services,
  { id, projectId }: SegmentRow,
  dueBefore: number,
): Promise<MembershipChange & { total: number }> {
  const sum = { added: 0, removed: 0 };
  for (;;) {
    const part = await services.database.prisma.$transaction(async (db) => {
      await awaitErasures(db, projectId);
      const segment = await lockSegment(db, projectId, id);
      return segment && isPassDue(segment, dueBefore) ? passPart(db, segment) : null;
    }, transactionOptions);
    if (!part) return { ...sum, total: 0 };
    sum.added += part.change.added;
    sum.removed += part.change.removed;
    services.scheduleFollowUps(projectId);
    if (part.total !== null) return { ...sum, total: part.total };
  }
}

/** @returns the members, after the last part */
async function passPart(
  db: Db,
  segment: SegmentRow,
): Promise<{ change: MembershipChange; total: number | null }> {
  const { projectId, passedAt, passedId } = segment;
  const after = passedAt && passedId ? { createdAt: passedAt, id: passedId } : null;
  const { ids, next } = await readPart(db, projectId, after, perTransaction);
  const { fits, ...change } = await applyCondition(db, segment, ids);
  if (change.added + change.removed > 0) {
    await addToCount(db, segment.id, change);
    await touchDependents(db, segment, change);
  }
  if (next) {
    await savePosition(db, segment, next);
    return { change, total: null };
  }
  await forgetDeletedContacts(db, segment);
  const total = await countMembers(db, projectId, segment.id);
  await markComputed(db, segment, total, fits ? nextPassAt(segment.id, new Date()) : nextComputeAt());
  return { change, total };
}
