import type { Database, EmailClass } from '../../base/db/index.ts';
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

const none: Pauses = { hold: null, isPaused: false, senders: [] };

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

interface Sent {
  type: EmailClass;
  projectId: string;
  /** of the sender; null for the sandbox sender */
  domain: string | null;
}

/** What keeps an email from leaving now, apart from email before it; null for nothing. */
export function pauseFor(
  { hold, isPaused, senders }: Pauses,
  { type, projectId, domain }: Sent,
): 'restore' | 'route' | null {
  if (hold === 'all' || (hold === 'marketing' && type !== 'TRANSACTIONAL')) return 'restore';
  return isPaused || senders.some((sender) => sender.projectId === projectId && sender.domain === domain)
    ? 'route'
    : null;
}
