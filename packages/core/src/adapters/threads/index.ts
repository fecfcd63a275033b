import type { CoreConfig } from '../../base/kernel/config.ts';
import type { Owners } from '../../base/kernel/ports/owners.ts';
import { type PoolEvents, ThreadPool } from './thread-pool.ts';

/** Heap of a thread in MiB. Rendering a message of the greatest size takes about half of it. */
const memoryMb = 256;

/** The threads of this process on which templates are parsed and rendered; they start with their first task. */
export const createThreads = (
  config: Pick<CoreConfig, 'LINKS_URL' | 'APP_SECRET' | 'previousSecrets'>,
  owners: Owners,
  events: PoolEvents = {},
  { patienceMs, size }: { patienceMs?: number | undefined; size?: number | undefined } = {},
): ThreadPool =>
  new ThreadPool({
    owners,
    events,
    ...(patienceMs !== undefined && { patienceMs }),
    ...(size !== undefined && { size }),
    entry: new URL('./thread.entry.ts', import.meta.url),
    data: { linksUrl: config.LINKS_URL, secret: config.APP_SECRET, previousSecrets: config.previousSecrets },
    memoryMb,
  });
