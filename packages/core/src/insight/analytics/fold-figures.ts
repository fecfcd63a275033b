import { countEarlierExecutions, foldStepFigures } from '../../automation/workflows/index.ts';
import { projectsWithEntries } from '../../base/figures/index.ts';
import type { Services } from '../../base/kernel/index.ts';
import { foldTallies } from '../../mail/sending/index.ts';
import { foldBatch, vacuumEntries } from './fold.store.ts';

const perBatch = 5_000;
/** More removed entries would slow every read of figures down until PostgreSQL cleans up by itself, up to a minute later. */
const vacuumAbove = 20_000;

/** Adds what the entries of all projects say to their figures. @returns how many entries it was */
export async function foldFigures(services: Services): Promise<number> {
  const { prisma } = services.database;
  let folded = 0;
  for (const projectId of await projectsWithEntries(prisma, 'FigureEntry')) {
    for (let batch = perBatch; batch === perBatch; folded += batch)
      batch = await foldBatch(prisma, projectId, perBatch);
  }
  if (folded > vacuumAbove) await vacuumEntries(prisma);
  await countEarlierExecutions(services);
  return folded + (await foldStepFigures(services)) + (await foldTallies(services));
}
