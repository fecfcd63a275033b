import { databaseIsAway, Rounds } from '../../base/db/index.ts';
import type { Services } from '../../base/kernel/index.ts';
import { Slots } from '../../base/lib/index.ts';
import { awaitErasures } from '../contacts/index.ts';
import { follow } from './compute.ts';
import { findSegment, type SegmentRow } from './segments.store.ts';
import {
  type DueContacts,
  dropDue,
  findDue,
  isGone,
  lockUnlessBusy,
  msUntilNext,
  stillDue,
} from './wheel.store.ts';

/** How often a process looks for moments that another one has stored. */
const idleMs = 10_000;
/** Moments of this time are followed together. */
const shortestMs = 1_000;
/** Contacts of one transaction. */
const mostContacts = 5_000;
/** Projects at the same time, so that one whose erasures take long does not hold up the others. */
const places = 4;

const transactionOptions = { maxWait: 30_000, timeout: 300_000 };

/**
 * Moves the contacts whose moments have come into and out of tracked segments (behaviour B4.8). A moment is stored until the transaction that
 * follows it commits; several processes share the work by the locks of segments.
 *
 * @returns how many moments were followed
 */
export async function turnWheel(services: Services): Promise<number> {
  const { database, log } = services;
  const left = new Set<string>();
  let followed = 0;
  for (;;) {
    const due = await findDue(database.prisma, [...left], mostContacts);
    if (due.length === 0) return followed;
    const slots = new Slots({ places });
    const turn = async (each: DueContacts): Promise<void> => {
      const count = await followMoments(services, each);
      // Another process writes its members; what is still due then is found by the next turn.
      if (count === null) left.add(each.segmentId);
      else followed += count;
    };
    const ofProjects = [...Map.groupBy(due, ({ projectId }) => projectId).values()];
    await Promise.all(
      ofProjects.map((segments) =>
        slots.run(async () => {
          for (const each of segments) {
            try {
              await turn(each);
            } catch (error) {
              if (databaseIsAway(error)) throw error;
              left.add(each.segmentId);
              log.error(
                { err: error, segmentId: each.segmentId },
                'time could not move contacts of a segment',
              );
            }
          }
        }),
      ),
    );
  }
}

/** Whether time moves the contacts of a segment one by one: a stale one, and one that failed, is computed whole. */
const isTurned = ({ type, trackMembership, stale, failedReason }: SegmentRow): boolean =>
  type === 'DYNAMIC' && trackMembership && !stale && failedReason === null;

/** @returns null if the segment is busy */
async function followMoments(services: Services, due: DueContacts): Promise<number | null> {
  const { projectId, segmentId } = due;
  const count = await services.database.prisma.$transaction(async (db) => {
    await awaitErasures(db, projectId);
    if (!(await lockUnlessBusy(db, projectId, segmentId)))
      return (await isGone(db, projectId, segmentId)) ? dropDue(db, due) : null;
    const segment = await findSegment(db, projectId, segmentId);
    if (!segment || !isTurned(segment)) return dropDue(db, due);
    const contactIds = await stillDue(db, due);
    if (contactIds.length > 0) await follow(db, segment, contactIds);
    return contactIds.length;
  }, transactionOptions);
  if (count !== null && count > 0) services.scheduleFollowUps(projectId);
  return count;
}

/** Turns the wheel while its process runs. Each worker does, so that one that is killed leaves its moments to the others. */
export const createSegmentWheel = (services: Services): Rounds =>
  new Rounds({
    ...{ log: services.log, failure: 'the wheel could not be turned', idleMs, shortestMs },
    async round() {
      await turnWheel(services);
      return msUntilNext(services.database.prisma);
    },
  });
