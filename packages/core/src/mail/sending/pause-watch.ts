import type { Database } from '../../base/db/index.ts';
import type { Services } from '../../base/kernel/index.ts';
import { routeId } from '../../base/providers/index.ts';
import { findPauses, type Pauses } from '../ledger/index.ts';

/** How old what is known may be, in milliseconds. */
const knownMs = 2_000;

interface Known {
  at: number;
  pauses: Promise<Pauses>;
}

const knownOf = new WeakMap<Database, Known>();

const none: Pauses = { isPaused: false, senders: [] };

/**
 * What the mail server takes no email of at present. It is read at most every two seconds, for all sends of the process, and none fails
 * because it cannot be read.
 */
export function pausesOf({
  database,
  config,
  log,
}: Pick<Services, 'database' | 'config' | 'log'>): Promise<Pauses> {
  const at = performance.now();
  const known = knownOf.get(database);
  if (known && at - known.at < knownMs) return known.pauses;
  const pauses = findPauses(database.prisma, routeId(config)).catch((error: unknown) => {
    log.warn({ err: error }, 'whether the mail server is paused could not be read');
    return none;
  });
  knownOf.set(database, { at, pauses });
  return pauses;
}

/** @param domain of the sender; null for the sandbox sender */
export const isPausedFor = (
  { isPaused, senders }: Pauses,
  projectId: string,
  domain: string | null,
): boolean =>
  isPaused || senders.some((sender) => sender.projectId === projectId && sender.domain === domain);
