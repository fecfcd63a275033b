import { awaitErasures, type JoinSegment, keptContacts } from '../contacts/index.ts';
import { addToCount, enter, touchDependents } from './membership.store.ts';
import { lockSegment } from './segments.store.ts';

/** Adds the contacts of a bulk change to a static segment. */
export const joinSegment: JoinSegment = async (db, projectId, segmentId, ids) => {
  // Members are written for contacts that were read without a lock.
  await awaitErasures(db, projectId);
  const segment = await lockSegment(db, projectId, segmentId);
  if (segment?.type !== 'STATIC') return null;
  const found = await keptContacts(db, projectId, ids);
  const change = await enter(db, segment, found);
  await addToCount(db, segment.id, change);
  await touchDependents(db, segment, change);
  return { found: new Set(found), added: change.added };
};
