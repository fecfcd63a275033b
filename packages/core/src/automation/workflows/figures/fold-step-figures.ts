import { projectsWithEntries } from '../../../base/figures/index.ts';
import type { Services } from '../../../base/kernel/index.ts';
import { countEarlier, foldStepBatch, vacuumStepEntries } from './fold.store.ts';

const perBatch = 5_000;
/** More removed entries would slow every read of figures down until PostgreSQL cleans up by itself. */
const vacuumAbove = 20_000;
/** Rows of before there were figures that one transaction counts, and holds meanwhile. */
const perPiece = 2_000;
/** Pieces of one run, which is to end within the minute until the next one. */
const mostPieces = 100;

/** Adds what the entries of all projects say to the figures of their workflows. @returns how many entries it was */
export async function foldStepFigures({ database: { prisma } }: Services): Promise<number> {
  let folded = 0;
  for (const projectId of await projectsWithEntries(prisma, 'StepFigureEntry')) {
    for (let batch = perBatch; batch === perBatch; folded += batch)
      batch = await foldStepBatch(prisma, projectId, perBatch);
  }
  if (folded > vacuumAbove) await vacuumStepEntries(prisma);
  return folded;
}

/** Counts some of the executions of before there were figures. @returns whether there may be more */
export async function countEarlierExecutions(
  { database: { prisma } }: Services,
  { pieces = mostPieces, rows = perPiece }: { pieces?: number; rows?: number } = {},
): Promise<boolean> {
  let open = pieces;
  for (const table of ['WorkflowExecution', 'WorkflowStepExecution'] as const) {
    for (let after: string | null = null; open > 0; open -= 1) {
      after = await countEarlier(prisma, table, after, rows);
      if (after === null) break;
    }
  }
  return open === 0;
}
