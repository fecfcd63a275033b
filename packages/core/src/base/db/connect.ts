import pg from 'pg';
import { databaseIsUnreachable } from './availability.ts';
import { type LostConnectionOptions, watchForLostConnections } from './lost-connections.ts';
import { answerMs, readOnly, Servers } from './servers.ts';
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

const breakConnection = (client: pg.Client, reason: Error): void => {
  client.connection.stream.destroy(reason);
};

/** What this process knows of the servers of each URL. */
const serversOf = new Map<string, Servers>();

function serversNamedBy(url: string): Servers {
  const known = serversOf.get(url);
  if (known) return known;
  const servers = new Servers(url, {
    breakConnection,
    openProbe(one) {
      const probe = new pg.Client({
        connectionString: one,
        application_name: 'postrider probe',
        connectionTimeoutMillis: answerMs,
        query_timeout: answerMs,
      });
      probe.on('error', ignoreEvent);
      return withPassword(probe, url);
    },
  });
  serversOf.set(url, servers);
  return servers;
}

/** With the password that there is when it connects. */
function withPassword<C extends pg.Client>(client: C, url: string): C {
  const read = passwords.get(url);
  // pg keeps the password in a property of its own, which may be a function.
  return read ? Object.assign(client, { password: read }) : client;
}

/** A commit that PostgreSQL confirmed though no standby has it: it stopped waiting, and a failover may undo it. */
class UnknownCommit extends Error {
  /** transaction_resolution_unknown */
  readonly code = '08007';

  constructor() {
    super('PostgreSQL stopped waiting for its standby: whether the commit lasts is unknown');
  }
}

/** The function of PostgreSQL that waits for standbys names itself in its warnings, in every language. */
const isOfWaiting = ({ routine }: { routine?: string | undefined }): boolean =>
  routine === 'SyncRepWaitForLSN';

type Query = (this: Client, ...call: unknown[]) => unknown;
type Callback = (error: unknown, ...answer: unknown[]) => void;

/** A client's method `query` whose answers are judged by the client. */
const judgedQuery = (query: Query): Query =>
  function judged(...call) {
    const last = call.at(-1);
    if (typeof last === 'function') {
      const callback: Callback = (error, ...answer) => {
        const failure = this.judge(error);
        (last as Callback)(failure, ...(failure ? [] : answer));
      };
      return query.apply(this, [...call.slice(0, -1), callback]);
    }
    const result = query.apply(this, call);
    if (!(result instanceof Promise)) return result;
    return result.then(
      (answer: unknown) => {
        const failure = this.judge(null);
        if (failure) throw failure;
        return answer;
      },
      (error: unknown) => {
        throw this.judge(error);
      },
    );
  };

/** Connects to the server that takes writes. Its statements are timed. */
class Client extends pg.Client {
  readonly #servers: Servers;
  #unknown: UnknownCommit | null = null;

  constructor({ connectionString = '', ...config }: pg.ClientConfig = {}) {
    const servers = serversNamedBy(connectionString);
    super({ ...config, connectionString: servers.first });
    this.#servers = servers;
    withPassword(this, connectionString);
    this.on('error', ignoreEvent);
    this.on('notice', (notice) => {
      if (isOfWaiting(notice)) this.#unknown = new UnknownCommit();
    });
  }

  override connect(callback?: unknown): Promise<this> {
    const connecting = this.#connect();
    // A pool passes a callback, which is told of failures too.
    if (typeof callback === 'function')
      connecting.then(
        () => callback(null, this),
        (error: unknown) => callback(error),
      );
    return connecting;
  }

  async #connect(): Promise<this> {
    const servers = this.#servers;
    if (servers.areSeveral) Object.assign(this, await servers.find());
    try {
      await super.connect();
    } catch (error) {
      servers.forget();
      throw error;
    }
    try {
      await servers.admit(this);
    } catch (error) {
      servers.forget();
      this.end().catch(ignoreEvent);
      throw error;
    }
    return this;
  }

  /** What a statement failed with, if it did. After a commit that may not last it has failed, and its connection is not used again. */
  judge(error: unknown): unknown {
    if (this.#unknown !== null) {
      breakConnection(this, this.#unknown);
      return this.#unknown;
    }
    // Another server may take writes.
    if (this.#servers.areSeveral && (error as { code?: unknown } | null)?.code === readOnly) {
      this.#servers.forget();
      breakConnection(this, error as Error);
    }
    return error;
  }
}
// pg's method has many overloads, which all stay as they are.
Client.prototype.query = judgedQuery(
  timedQuery(pg.Client.prototype.query as Parameters<typeof timedQuery>[0]),
) as typeof pg.Client.prototype.query;

const retryMs = 100;

export interface PoolConfig extends pg.PoolConfig {
  /** How long a statement that was not sent yet waits for a server that is away; default not at all. */
  patienceMs?: number | undefined;
}

type Given = (error: Error | undefined, client: pg.PoolClient | undefined, release: () => void) => void;

class Pool extends pg.Pool {
  readonly #patienceMs: number;

  constructor({ patienceMs = 0, ...config }: PoolConfig) {
    super({ ...keepAlive, ...config, Client });
    this.#patienceMs = patienceMs;
  }

  override connect(): Promise<pg.PoolClient>;
  override connect(callback: Given): void;
  override connect(callback?: Given): Promise<pg.PoolClient> | undefined {
    if (!callback)
      return new Promise((resolve, reject) => {
        this.connect((error, client) => (client ? resolve(client) : reject(error)));
      });
    const until = performance.now() + this.#patienceMs;
    const attempt = (): void =>
      super.connect((error, client, release) => {
        const waits = error && !this.ending && databaseIsUnreachable(error) && performance.now() < until;
        if (waits) setTimeout(attempt, retryMs);
        else callback(error, client, release);
      });
    attempt();
    return undefined;
  }
}
// Its statements are traced.
Pool.prototype.query = tracedQuery(
  pg.Pool.prototype.query as Parameters<typeof tracedQuery>[0],
) as typeof pg.Pool.prototype.query;

/**
 * A pool whose connections survive the end of the server: those that break are replaced at the next use, and those
 * that were lost without a word are noticed within 20 seconds.
 */
export function openPool(config: PoolConfig, lost?: LostConnectionOptions): pg.Pool {
  const pool = new Pool(config);
  pool.on('error', ignoreEvent);
  // A connection of its own, with the limits of none of the pool's.
  const { options: _options, patienceMs: _patienceMs, ...address } = config;
  const openObserver = (): pg.Client =>
    openClient({ ...address, connectionTimeoutMillis: 5_000, query_timeout: 5_000 });
  watchForLostConnections(pool, config.connectionString ?? '', openObserver, lost);
  return pool;
}

/** A single connection, not yet connected. It does not reconnect: its statements fail once it is broken. */
export function openClient(config: pg.ClientConfig): pg.Client {
  return new Client({ ...keepAlive, ...config });
}

/**
 * Connects to the primary as programs do that copy it or stream its WAL, and leaves again: the server lets only users with the attribute REPLICATION in,
 * from addresses that `pg_hba.conf` names for it, and as many as `max_wal_senders`.
 *
 * @throws what the server refuses the connection with
 */
export async function tryReplication(url: string): Promise<void> {
  const servers = serversNamedBy(url);
  const address = servers.areSeveral ? await servers.find() : {};
  const config = { connectionString: servers.first, connectionTimeoutMillis: answerMs, replication: 'true' };
  const client = withPassword(Object.assign(new pg.Client(config), address), url);
  client.on('error', ignoreEvent);
  try {
    await client.connect();
  } finally {
    client.end().catch(ignoreEvent);
  }
}
