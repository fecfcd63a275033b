import type { Services } from '../kernel/index.ts';
import { foldEntries } from './storage.store.ts';

const perBatch = 5_000;

/** Adds what the entries of all projects say to their usage. @returns how many entries it was */
export async function foldStorage({ database: { prisma } }: Services): Promise<number> {
  let folded = 0;
  for (let batch = perBatch; batch === perBatch; folded += batch) batch = await foldEntries(prisma, perBatch);
  return folded;
}
