import type { Services } from '../../base/kernel/index.ts';
import { foldEntries } from './storage.store.ts';
import { tellOwners } from './tell-owners.ts';

const perBatch = 5_000;

/**
 * Adds what the entries of all projects say to their usage, and tells owners who have come near their limit.
 *
 * @returns how many entries it was
 */
export async function foldStorage(services: Services): Promise<number> {
  const { prisma } = services.database;
  let folded = 0;
  for (let batch = perBatch; batch === perBatch; folded += batch) batch = await foldEntries(prisma, perBatch);
  await tellOwners(services);
  return folded;
}
