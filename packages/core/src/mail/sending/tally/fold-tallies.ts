import { isConflict, Prisma } from '../../../base/db/index.ts';
import { projectsWithEntries } from '../../../base/figures/index.ts';
import type { Services } from '../../../base/kernel/index.ts';
import {
  foldTallyBatch,
  removeEmptyTallies,
  talliedOf,
  tallyEarlier,
  untalliedProjects,
  vacuumTallyEntries,
} from './tally.store.ts';

const perBatch = 5_000;
/** More removed entries would slow every total down until PostgreSQL cleans up by itself, up to a minute later. */
const vacuumAbove = 20_000;
/** How long one run goes on counting emails of before there were tallies, in milliseconds; the next run goes on with it. */
const earlierMs = 20_000;
/** Projects looked at in a run. */
const mostUntallied = 500;

/** Adds what the entries of all projects say to their tallies, and counts emails of before there were any. @returns how many entries it was */
export async function foldTallies({ database: { prisma } }: Services): Promise<number> {
  const until = Date.now() + earlierMs;
  for (const projectId of await untalliedProjects(prisma, mostUntallied)) {
    for (let more = true; more && Date.now() < until; )
      more = await prisma
        .$transaction((db) => tallyEarlier(db, projectId), {
          isolationLevel: Prisma.TransactionIsolationLevel.RepeatableRead,
          timeout: 600_000,
        })
        .catch((error: unknown) => {
          // Another process counts these, or the project was changed: the next run goes on.
          if (isConflict(error)) return false;
          throw error;
        });
  }
  let folded = 0;
  for (const projectId of await talliedOf(prisma, await projectsWithEntries(prisma, 'EmailTallyEntry'))) {
    const before = folded;
    for (let batch = perBatch; batch === perBatch; folded += batch)
      batch = await foldTallyBatch(prisma, projectId, perBatch);
    if (folded > before) await removeEmptyTallies(prisma, projectId);
  }
  if (folded > vacuumAbove) await vacuumTallyEntries(prisma);
  return folded;
}
