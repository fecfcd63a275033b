import pg from 'pg';

/**
 * The only module that creates connections (enforced by a dependency rule). pg reports a connection that breaks twice: the statement
 * that runs on it is rejected, and the client emits `error`, possibly more than once, at a moment when it may be idle, in use or
 * closing. An `error` event without a listener ends the process, so every client has a listener from the start.
 * Ignoring the event loses nothing: the rejection of the statement reports the same, and a pool replaces the client.
 */
const ignoreEvent = (): void => undefined;

// int8 counts and sequences fit into a double here; without a parser node-postgres returns strings.
pg.types.setTypeParser(pg.types.builtins.INT8, Number);

/** A database that vanished without closing its connections (lost host, failover) is noticed within about two minutes. */
const keepAlive = { keepAlive: true, keepAliveInitialDelayMillis: 10_000 } as const;

/** A pool whose connections survive the end of the server: those that break are replaced at the next use. */
export function openPool(config: pg.PoolConfig): pg.Pool {
  const pool = new pg.Pool({ ...keepAlive, ...config });
  pool.on('error', ignoreEvent);
  pool.on('connect', (client) => client.on('error', ignoreEvent));
  return pool;
}

/** A single connection, not yet connected. It does not reconnect: its statements fail once it is broken. */
export function openClient(config: pg.ClientConfig): pg.Client {
  const client = new pg.Client({ ...keepAlive, ...config });
  client.on('error', ignoreEvent);
  return client;
}
