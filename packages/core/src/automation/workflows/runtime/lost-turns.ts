import type { Services } from '../../../base/kernel/index.ts';
import { countTurns, fewestLostTurns, uncountTurns } from './lost-turns.store.ts';
import type { SetUnit } from './run-set.ts';
import { type TakenSet, takeSet } from './take-set.ts';

/** Turns in a row that are lost with their process before an execution fails. */
const mostLost = 5;
/** Executions of a counted set, by how often they were lost. */
const sizes = [64, 64, 16, 4, 1] as const;

const lostReason = `The worker was lost at least ${mostLost} times in a row while it ran this step`;

/**
 * Runs a set that is counted before it begins. A set that ends or blocks its process is not undone in the count, so that of hundreds of executions
 * the one that does it is found by halving over the restarts, and fails instead of doing the same to the next process.
 *
 * @param lost executions that were lost so often
 */
async function takeCounted(services: Services, unit: SetUnit, lost: number): Promise<TakenSet> {
  const { durable } = services.database;
  const limit = sizes[lost] ?? 1;
  const ids = await countTurns(durable, { ...unit, lost, limit });
  if (ids.length === 0) return nothing;
  try {
    return await takeSet(services, unit, { limit: ids.length, ids });
  } catch (error) {
    await uncountTurns(durable, ids).catch((cause: unknown) =>
      services.log.warn({ err: cause }, 'executions of a failed set stay counted as lost'),
    );
    throw error;
  }
}

const nothing: TakenSet = { taken: 0, needed: new Map(), failures: 0, isSlow: false };

/** A set after a process was lost: small, and counted. */
export const takeCarefully = (services: Services, unit: SetUnit): Promise<TakenSet> =>
  takeCounted(services, unit, 0);

/** Executions that were lost with a process run alone with others of the same fate, after all others. */
export async function takeLost(services: Services, unit: SetUnit): Promise<TakenSet> {
  const lost = await fewestLostTurns(services.database.durable, unit);
  if (lost === null || lost === 0) return nothing;
  return lost < mostLost ? takeCounted(services, unit, lost) : failLost(services, unit, lost);
}

async function failLost(services: Services, unit: SetUnit, lost: number): Promise<TakenSet> {
  const ids = await countTurns(services.database.durable, { ...unit, lost, limit: 64 });
  const [first] = ids;
  if (first === undefined) return nothing;
  services.log.error(
    { executionIds: ids, lost },
    'executions failed because their sets were lost with their process',
  );
  return takeSet(services, unit, { limit: ids.length, ids, failingAll: lostReason });
}
