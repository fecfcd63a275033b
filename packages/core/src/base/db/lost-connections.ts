import { Socket } from 'node:net';
import type pg from 'pg';

/**
 * Notices connections whose server or network has gone without closing them. The statement on such a connection would
 * wait for ever: TCP keep-alive does not notice when a proxy still answers for the server, and a time limit would also
 * end statements that rightly take minutes. So PostgreSQL is asked, over a new connection, whether it still works on
 * the statement.
 */
export interface LostConnectionOptions {
  /** how often to look */
  everyMs: number;
  /** a connection that has waited this long for an answer is looked at */
  silentMs: number;
}

export const lostConnectionDefaults: LostConnectionOptions = { everyMs: 4_000, silentMs: 8_000 };

interface Watched {
  client: pg.PoolClient;
  inUse: boolean;
  bytesRead: number;
  /** since when nothing has been received */
  silentSince: number;
  /** since when a statement has been waiting and nothing has been received; null if none is waiting */
  waitingSince: number | null;
}

/** What ends the idle connections of each watched pool, by the address of the server. */
const poolsOfServer = new Map<string, Set<(silentMs: number) => void>>();

/**
 * @param server the address; a loss in one pool ends the idle connections of all pools of this process to the same server
 * @param openObserver makes a new connection to it
 */
export function watchForLostConnections(
  pool: pg.Pool,
  server: string,
  openObserver: () => pg.Client,
  { everyMs, silentMs }: LostConnectionOptions = lostConnectionDefaults,
): void {
  const watched = new Map<pg.PoolClient, Watched>();
  let isLooking = false;
  pool.on('connect', (client) => watched.set(client, watch(client)));
  pool.on('remove', (client) => watched.delete(client));
  pool.on('acquire', (client) => setInUse(watched.get(client), true));
  pool.on('release', (_error, client) => setInUse(watched.get(client), false));

  const pools = poolsOfServer.get(server) ?? new Set();
  poolsOfServer.set(server, pools);
  const breakIdle = (forMs: number): void => {
    const now = performance.now();
    for (const one of watched.values()) {
      refresh(one, now);
      if (!one.inUse && now - one.silentSince >= forMs) breakConnection(one.client);
    }
  };
  pools.add(breakIdle);

  const look = async (): Promise<void> => {
    const now = performance.now();
    for (const one of watched.values()) refresh(one, now);
    const isSuspect = ({ waitingSince }: Watched): boolean =>
      waitingSince !== null && now - waitingSince >= silentMs;
    const suspects = [...watched.values()].filter(isSuspect);
    if (suspects.length === 0) return;
    const lost = await findLost(
      openObserver(),
      suspects.map(({ client }) => client),
    );
    for (const one of suspects) refresh(one, now);
    const confirmed = suspects.filter((one) => isSuspect(one) && lost.has(one.client));
    if (confirmed.length === 0) return;
    for (const { client } of confirmed) breakConnection(client);
    // Connections that lie idle and have been silent as long are probably lost as well.
    for (const breakIdle of pools) breakIdle(silentMs);
  };
  const timer = setInterval(() => {
    if (pool.ended) {
      pools.delete(breakIdle);
      return clearInterval(timer);
    }
    if (isLooking) return;
    isLooking = true;
    look()
      // The database is away; a later look may reach it.
      .catch(() => undefined)
      .finally(() => {
        isLooking = false;
      });
  }, everyMs);
  timer.unref();
}

function watch(client: pg.PoolClient): Watched {
  return { client, inUse: true, bytesRead: 0, silentSince: performance.now(), waitingSince: null };
}

function setInUse(one: Watched | undefined, inUse: boolean): void {
  if (one) one.inUse = inUse;
}

function refresh(one: Watched, now: number): void {
  const { stream } = one.client.connection;
  const bytesRead = stream instanceof Socket ? stream.bytesRead : 0;
  if (bytesRead !== one.bytesRead) {
    one.bytesRead = bytesRead;
    one.silentSince = now;
    one.waitingSince = null;
  }
  one.waitingSince = isWaiting(one.client) ? (one.waitingSince ?? now) : null;
}

/** Whether a statement has been sent whose answer is not complete. */
const isWaiting = (client: pg.PoolClient): boolean =>
  'readyForQuery' in client && client.readyForQuery === false;

const isSameServer = (client: pg.ClientBase, { host, port }: pg.Client): boolean =>
  'host' in client && 'port' in client && client.host === host && client.port === port;

const processOf = (client: pg.ClientBase): number =>
  'processID' in client && typeof client.processID === 'number' ? client.processID : 0;

/**
 * The connections whose server process does not work on a statement: it has ended, or its answer was lost. In the
 * second case it may hold locks, so it is ended. Behind a pooler, which gives process ids of its own, nothing is known.
 */
async function findLost(observer: pg.Client, clients: pg.PoolClient[]): Promise<Set<pg.PoolClient>> {
  try {
    await observer.connect();
    // Another server has taken over. Its processes have ids of their own, and none of them is ended.
    if (clients.some((client) => !isSameServer(client, observer))) return new Set(clients);
    const { rows } = await observer.query<{ pid: number; busy: number[] }>(
      `SELECT pg_backend_pid() AS pid, ARRAY(
         SELECT a."pid" FROM pg_stat_activity a WHERE a."pid" = ANY($1::int[])
           AND (a."state" = 'active' OR a."state_change" > now() - interval '2 seconds')
       ) AS busy`,
      [clients.map(processOf)],
    );
    const [found] = rows;
    if (!found || found.pid !== processOf(observer)) return new Set();
    const lost = clients.filter((client) => !found.busy.includes(processOf(client)));
    await observer.query(
      `SELECT pg_terminate_backend("pid") FROM pg_stat_activity
       WHERE "pid" = ANY($1::int[]) AND "state" <> 'active' AND "usename" = current_user`,
      [lost.map(processOf)],
    );
    return new Set(lost);
  } finally {
    await observer.end();
  }
}

/** The statement on it fails as with any broken connection, and the pool replaces it. */
function breakConnection(client: pg.PoolClient): void {
  client.connection.stream.destroy(new Error('Connection terminated: the server no longer answers on it'));
}
