import type { Services } from '../../kernel/index.ts';
import { touchContacts } from '../../segments/index.ts';
import { notifyOutbox } from '../../sending/index.ts';
import { contactsForSegments, endWaits, enterByEvents, takeEvents } from './dispatch.store.ts';
import { signalExecutions } from './signal-executions.ts';

const batchSize = 500;

/**
 * Takes one batch of a project's waiting events to who waits for them, in one transaction: whatever dies in between, each event
 * is dispatched once. Pokes follow as hints.
 *
 * @returns how many events were taken; 0: none waits, or somebody else has them
 */
export async function dispatchBatch(services: Services, projectId: string): Promise<number> {
  const { taken, entered, changed, touched } = await services.database.prisma.$transaction(
    async (db) => {
      const taken = await takeEvents(db, projectId, batchSize);
      if (taken.length === 0) return { taken: 0, entered: 0, changed: [], touched: [] };
      const entered = await enterByEvents(db, projectId, taken);
      const ids = taken.map(({ id }) => id);
      const ended = await endWaits(db, projectId, ids);
      const touched = await contactsForSegments(db, projectId, ids);
      await touchContacts(db, projectId, touched);
      return { taken: taken.length, entered: entered.length, changed: [...entered, ...ended], touched };
    },
    { maxWait: 10_000, timeout: 60_000 },
  );
  if (touched.length > 0) services.scheduleFollowUps(projectId);
  // Most executions begin with a mail: whoever delivers it listens by then, and does not start behind all of them at the engine.
  if (entered > 0) notifyOutbox(services, projectId);
  await signalExecutions(services, changed);
  return taken;
}
