import { databaseCode, databaseIsAway, refusalOf, wasCanceled } from '../../../base/db/index.ts';
import type { Services } from '../../../base/kernel/index.ts';
import { postponeAlone } from './alone.store.ts';
import { runSet, type SetOptions, type SetResult, type SetUnit } from './run-set.ts';
import { StepError } from './step-error.ts';

export interface TakenSet extends SetResult {
  /** transactions that a statement ended, because an execution can never succeed or its conditions take too long */
  failures: number;
  /** a statement took too long */
  isSlow: boolean;
}

/** When an execution is tried again that fails for a reason that is not its own: an error of this program. */
const laterMs = 60_000;

/**
 * Runs a set. One that a statement refuses is halved until the executions are found that fail alone; each of them becomes FAILED at its step, with
 * the reason, and all others go on.
 *
 * @throws errors that may not recur, after which the set is to be repeated
 */
export async function takeSet(services: Services, unit: SetUnit, options: SetOptions): Promise<TakenSet> {
  let claimed: readonly string[] = [];
  try {
    const onClaimed = (ids: readonly string[]) => {
      claimed = ids;
      options.onClaimed?.(ids);
    };
    return { ...(await runSet(services, unit, { ...options, onClaimed })), failures: 0, isSlow: false };
  } catch (error) {
    const [only, ...others] = claimed;
    if (only === undefined || !isFinal(error)) throw error;
    const isSlow = wasCanceled(error);
    const parts =
      others.length > 0
        ? await inHalves(services, unit, options, claimed)
        : [await alone(services, unit, options, only, error)];
    return {
      taken: sum(parts.map(({ taken }) => taken)),
      needed: new Map(parts.flatMap(({ needed }) => [...needed])),
      failures: 1 + sum(parts.map(({ failures }) => failures)),
      isSlow: isSlow || parts.some((part) => part.isSlow),
    };
  }
}

const sum = (numbers: readonly number[]): number => numbers.reduce((total, each) => total + each, 0);

/** One after the other: what one half holds, the other need not wait for. */
async function inHalves(
  services: Services,
  unit: SetUnit,
  options: SetOptions,
  ids: readonly string[],
): Promise<TakenSet[]> {
  const half = Math.ceil(ids.length / 2);
  const parts: TakenSet[] = [];
  for (const part of [ids.slice(0, half), ids.slice(half)])
    parts.push(await takeSet(services, unit, { ...options, limit: part.length, ids: part }));
  return parts;
}

/** The steps before the one that fails are taken, and then it fails. */
async function alone(
  services: Services,
  unit: SetUnit,
  options: SetOptions,
  id: string,
  error: unknown,
): Promise<TakenSet> {
  const reason = reasonOf(error);
  const stepId = error instanceof StepError ? error.stepId : null;
  const before = options.failing?.get(id);
  if (reason === null || stepId === null || before?.stepId === stepId) {
    services.log.error(
      { err: error, executionId: id, stepId },
      'an execution cannot go on; trying again later',
    );
    await postponeAlone(services.database.durable, { projectId: unit.projectId, id, inMs: laterMs });
    return { taken: 1, needed: new Map(), failures: 0, isSlow: false };
  }
  services.log.info({ err: error, executionId: id, stepId }, 'a step failed');
  const failing = new Map([[id, { stepId, reason }]]);
  return takeSet(services, unit, { ...options, limit: 1, ids: [id], failing });
}

/** SQLSTATE classes of errors that a value causes: data, constraint, and refusals of functions. */
const ofValue = /^(22|23|PR)/;

/** Whether an error recurs however often the set is repeated; errors of this program are taken for such. */
const isFinal = (error: unknown): boolean =>
  wasCanceled(error) || !databaseIsAway(error instanceof StepError ? error.cause : error);

/** Why a step can never succeed, for the customer; null for errors that are not about the execution. */
export function reasonOf(error: unknown): string | null {
  if (wasCanceled(error)) return 'The condition takes too long';
  if (refusalOf(error)?.rule === 'data_too_large')
    return 'The data of a contact can have at most 64 KiB of JSON. This update would exceed it';
  if (ofValue.test(databaseCode(error) ?? '')) return 'A value of this step cannot be stored';
  return null;
}
