import pg from 'pg';
import { type LostConnectionOptions, watchForLostConnections } from './lost-connections.ts';
import { timedQuery, tracedQuery } from './timed-query.ts';

/**
 * The only module that creates connections (enforced by a dependency rule). pg reports a connection that breaks twice: the statement
 * that runs on it is rejected, and the client emits `error`, possibly more than once, at a moment when it may be idle, in use or
 * closing. An `error` event without a listener ends the process, so every client has a listener from the start.
 * Ignoring the event loses nothing: the rejection of the statement reports the same, and a pool replaces the client.
 */
const ignoreEvent = (): void => undefined;

// int8 counts and sequences fit into a double here; without a parser node-postgres returns strings.
pg.types.setTypeParser(pg.types.builtins.INT8, Number);

/** The system notices a host that has vanished while a connection lies idle. */
const keepAlive = { keepAlive: true, keepAliveInitialDelayMillis: 10_000 } as const;

/** Reads the present password of the user of a database, by the URL that its connections are made with. */
const passwords = new Map<string, () => string>();

/**
 * From now on each new connection with this URL asks for the password, so that it may change while the process runs. Connections that are there
 * go on: PostgreSQL asks for a password only when one begins.
 */
export function followPassword(url: string, read: () => string): void {
  passwords.set(url, read);
}

/** With the password that there is when it connects; its statements are timed. */
class Client extends pg.Client {
  constructor(config: pg.ClientConfig = {}) {
    super(config);
    const read = passwords.get(config.connectionString ?? '');
    // pg keeps the password in a property of its own, which may be a function.
    if (read) Object.assign(this, { password: read });
  }
}
// pg's method has many overloads, which all stay as they are.
Client.prototype.query = timedQuery(
  pg.Client.prototype.query as Parameters<typeof timedQuery>[0],
) as typeof pg.Client.prototype.query;

/** pg's pool, whose statements are traced. */
class Pool extends pg.Pool {}
Pool.prototype.query = tracedQuery(
  pg.Pool.prototype.query as Parameters<typeof tracedQuery>[0],
) as typeof pg.Pool.prototype.query;

/**
 * A pool whose connections survive the end of the server: those that break are replaced at the next use, and those
 * that were lost without a word are noticed within 20 seconds.
 */
export function openPool(config: pg.PoolConfig, lost?: LostConnectionOptions): pg.Pool {
  const pool = new Pool({ ...keepAlive, ...config, Client });
  pool.on('error', ignoreEvent);
  pool.on('connect', (client) => client.on('error', ignoreEvent));
  // A connection of its own, with the limits of none of the pool's.
  const { options: _options, ...address } = config;
  const openObserver = (): pg.Client =>
    openClient({ ...address, connectionTimeoutMillis: 5_000, query_timeout: 5_000 });
  watchForLostConnections(pool, config.connectionString ?? '', openObserver, lost);
  return pool;
}

/** A single connection, not yet connected. It does not reconnect: its statements fail once it is broken. */
export function openClient(config: pg.ClientConfig): pg.Client {
  const client = new Client({ ...keepAlive, ...config });
  client.on('error', ignoreEvent);
  return client;
}
