import { setTimeout as sleep } from 'node:timers/promises';
import { type Db, retryConflicts } from '../../base/db/index.ts';
import type { Services } from '../../base/kernel/index.ts';
import { type Batch, furtherParts, type Part, removeProject, resetParts } from './parts.store.ts';
import { completeRemoval, findOpenRemoval, type RemovalRow, saveProgress } from './removal.store.ts';

/** For how long one call goes on before it reports. */
const callMs = 10_000;

/**
 * Removes some of the data of a project that was reset or deleted, in transactions of a batch each. Every call begins with the first
 * part again: an empty part costs one statement, and what was written meanwhile is found.
 *
 * @returns whether there may be more to remove
 */
export async function removeBatch(services: Services, projectId: string): Promise<boolean> {
  const { prisma } = services.database;
  const removal = await findOpenRemoval(prisma, projectId);
  if (!removal) return false;
  const parts = removal.kind === 'DELETE' ? [...resetParts, ...furtherParts] : resetParts;
  const endsAt = performance.now() + callMs;
  let removed = 0;
  for (const [index, part] of parts.entries()) {
    let count = -1;
    while (count !== 0) {
      count = await removeOnce(services, removal, part);
      removed += count;
      if (performance.now() > endsAt) {
        await saveProgress(prisma, removal.id, Math.floor((index * 100) / parts.length), removed);
        return true;
      }
    }
  }
  await saveProgress(prisma, removal.id, 99, removed);
  // Once more until nothing is found: processes that had begun before the deletion may have written since.
  if (removed > 0) return true;
  if (removal.kind === 'DELETE' && !(await removeProject(prisma, projectId))) {
    await sleep(1_000);
    return true;
  }
  await prisma.$transaction((db) => completeRemoval(db, removal));
  return (await findOpenRemoval(prisma, projectId)) !== null;
}

async function removeOnce(services: Services, removal: RemovalRow, part: Part): Promise<number> {
  const { count, ended = [] } = await inTransaction(services, (db) => part.remove(db, removal, services));
  await Promise.all(ended.map((each) => each.signal(services)));
  return count;
}

const inTransaction = (services: Services, work: (db: Db) => Promise<Batch>): Promise<Batch> =>
  retryConflicts(() => services.database.prisma.$transaction(work, { maxWait: 10_000, timeout: 60_000 }));
