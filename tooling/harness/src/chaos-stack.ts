import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { SinkOptions } from '@postrider/local/sink';
import { type SinkProcess, startSinkProcess } from '@postrider/local/sink-process';
import { type Stack, type StackOptions, startStack } from '@postrider/local/stack';
import pg from 'pg';
import { createTemporalClient, type TemporalClient } from './temporal-client.ts';

export interface ChaosStackOptions {
  /** For api and worker; overrides `chaosEnv`. */
  env?: Record<string, string>;
  /** Generates code that is out of date before starting; tests do that once for all. */
  build?: boolean;
  /** The checkout whose api and worker are started; default this one. */
  root?: string;
  /** A database server of the scenario: the address for the product, and one for the harness. */
  database?: { url: string; directUrl: string };
  sink?: SinkOptions;
  first?: StackOptions['first'];
  onEvent?: (line: string) => void;
}

/** The product as real processes with dedicated servers, and a sink in place of the mail server. */
export interface ChaosStack {
  stack: Stack;
  sink: SinkProcess;
  /** Connections of the harness; reopened after a restart of the database. */
  db: pg.Pool;
  temporal: TemporalClient;
  /** Holds the logs of every process until `stop`. */
  folder: string;
  /** Stops everything; keeps the folder with the logs if requested. */
  stop(options?: { keepFolder?: boolean }): Promise<void>;
}

/** High limits, and intervals short enough to observe a recovery; everything else as in production. */
export const chaosEnv = {
  LOG_LEVEL: 'info',
  SEND_RATE_PER_SECOND: '100000',
  RATE_LIMIT_PER_MINUTE: '100000000',
  MAIL_WORKERS: '2',
  SMTP_CONNECTIONS: '20',
  DELIVERY_LEASE_SECONDS: '4',
  DELIVERY_RETRY_SCALE: '0.05',
  ROUTE_PROBE_SECONDS: '1,2,5',
  RECONCILE_SECONDS: '5',
} as const;

const servers = ['DATABASE_URL', 'TEMPORAL_ADDRESS', 'SMTP_URL'] as const;

/** As many emails may become UNCERTAIN when a delivery process is killed. */
export const connectionsPerProcess = Number(chaosEnv.SMTP_CONNECTIONS);

/** @throws Error if the environment configures servers: these runs kill and wipe the servers they use */
export async function startChaosStack(options: ChaosStackOptions = {}): Promise<ChaosStack> {
  const { database } = options;
  const env = { ...(database ? { DATABASE_URL: database.url } : {}), ...options.env };
  const foreign = servers.filter((name) => process.env[name] !== undefined && !Object.hasOwn(env, name));
  if (foreign.length > 0) {
    throw new Error(`These runs kill the servers they use and start their own. Unset ${foreign.join(', ')}.`);
  }
  const folder = await mkdtemp(join(tmpdir(), 'postrider-chaos-'));
  const sink = await startSinkProcess(options.sink);
  let stack: Stack;
  try {
    stack = await startStack({
      dataDir: join(folder, 'data'),
      build: options.build ? 'no-dashboard' : false,
      env: { ...chaosEnv, SMTP_URL: sink.url, ...env },
      ...(options.first ? { first: options.first } : {}),
      ...(options.onEvent ? { onEvent: options.onEvent } : {}),
      ...(options.root === undefined ? {} : { root: options.root }),
    });
  } catch (error) {
    await sink.stop();
    throw new Error(`The stack did not come up; its logs are in ${folder}`, { cause: error });
  }
  const db = new pg.Pool({
    connectionString: database?.directUrl ?? stack.urls.database,
    max: 4,
    // A server that has just been restarted beside other tests takes its time.
    connectionTimeoutMillis: 30_000,
  });
  // Scenarios cut its connections; the next query opens a new one.
  db.on('error', () => undefined);
  const temporal = createTemporalClient(stack.urls.temporal);
  return {
    stack,
    sink,
    db,
    temporal,
    folder,
    async stop({ keepFolder = false } = {}) {
      await db.end();
      await temporal.close();
      await stack.stop();
      await sink.stop();
      if (!keepFolder) await rm(folder, { recursive: true, force: true });
    },
  };
}
