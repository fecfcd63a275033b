import { touchContacts } from '../../../audience/segments/index.ts';
import type { Services } from '../../../base/kernel/index.ts';
import { contactsForSegments, endWaits, enterByEvents, takeEvents } from './dispatch.store.ts';
import { signalExecutions } from './signal-executions.ts';

const batchSize = 500;

/**
 * Dispatches one batch of a project's queued events in one transaction: each event is dispatched exactly once,
 * despite crashes. Signals follow, which may be lost.
 *
 * @returns the number of dispatched events; 0 when none is queued, or another dispatcher has locked them
 */
export async function dispatchBatch(services: Services, projectId: string): Promise<number> {
  const { taken, changed, touched } = await services.database.prisma.$transaction(
    async (db) => {
      const taken = await takeEvents(db, projectId, batchSize);
      if (taken.length === 0) return { taken: 0, changed: [], touched: [] };
      const entered = await enterByEvents(db, projectId, taken);
      const ids = taken.map(({ id }) => id);
      const ended = await endWaits(db, projectId, taken);
      const touched = await contactsForSegments(db, projectId, ids);
      await touchContacts(db, projectId, touched);
      return { taken: taken.length, changed: [...entered, ...ended], touched };
    },
    { maxWait: 10_000, timeout: 60_000 },
  );
  if (touched.length > 0) services.scheduleFollowUps(projectId);
  await signalExecutions(services, changed);
  return taken;
}
