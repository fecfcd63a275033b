import type { Services } from '../../base/kernel/index.ts';
import { type OpenSegment, runImport } from '../contacts/index.ts';
import { addToCount, enter, touchDependents } from './membership.store.ts';
import { findByAddress, lockSegment } from './segments.store.ts';

/** A segment that was deleted since the import began has no members to add. */
const openSegment: OpenSegment = async (db, projectId, segmentId) => {
  const segment = await lockSegment(db, projectId, segmentId);
  if (segment?.type !== 'STATIC') return null;
  return async (emails) => {
    const contacts = await findByAddress(db, projectId, emails);
    const change = await enter(
      db,
      segment,
      contacts.map(({ id }) => id),
    );
    await addToCount(db, segmentId, change);
    await touchDependents(db, segment, change);
  };
};

/** Imports the rows of a file, and adds the contacts to the segment that the import names. */
export const runContactImport = (services: Services, jobId: string, onBatch?: () => void): Promise<void> =>
  runImport(services, jobId, onBatch, openSegment);
