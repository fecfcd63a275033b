import {
  type AppError,
  conflict,
  type Services,
  suggestions,
  Turnstile,
} from '../../../base/kernel/index.ts';

/** Simulations at the same time in a process; each occupies a connection, and an owner has one. */
const places = 2;

/** One per process: it goes with the owners whose turns it keeps. */
const turnstiles = new WeakMap<Services['owners'], Turnstile>();
/** Workflows that this process simulates, or will when it is their turn. */
const simulated = new Set<string>();

function turnsOf({ owners }: Pick<Services, 'owners'>): Turnstile {
  const known = turnstiles.get(owners) ?? new Turnstile(owners, { what: 'simulation', places, ofTurn: 1 });
  turnstiles.set(owners, known);
  return known;
}

export const alreadySimulated = (): AppError =>
  conflict('The workflow is being simulated', { suggestion: suggestions.CONFLICT.workflowSimulated });

/**
 * Waits for the turn of the project's owner.
 *
 * @throws AppError CONFLICT when the workflow is simulated by this process
 */
export async function inTurn<T>(
  services: Pick<Services, 'owners'>,
  { projectId, workflowId }: { projectId: string; workflowId: string },
  work: () => Promise<T>,
): Promise<T> {
  if (simulated.has(workflowId)) throw alreadySimulated();
  simulated.add(workflowId);
  try {
    return await turnsOf(services).run(projectId, work);
  } finally {
    simulated.delete(workflowId);
  }
}
