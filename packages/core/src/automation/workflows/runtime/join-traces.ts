import { readEventTraces } from '../../../audience/events/index.ts';
import type { SqlDb } from '../../../base/db/index.ts';
import { currentSpan } from '../../../base/kernel/index.ts';

/** Makes what is done for these events a part of the traces of their requests. Asks for nothing where that is not to be known. */
export async function joinTraces(
  db: SqlDb,
  projectId: string,
  eventsOf: () => readonly (string | null)[],
): Promise<void> {
  const span = currentSpan();
  if (!span?.isOpen) return;
  const eventIds = eventsOf().filter((id) => id !== null);
  if (eventIds.length > 0) span.join(await readEventTraces(db, projectId, eventIds));
}
