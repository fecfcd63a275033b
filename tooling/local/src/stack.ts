import { join } from 'node:path';
import { build } from './build.ts';
import { appSecret, type DataDir, openDataDir, wipeDataDir, writeEnvironment } from './data-dir.ts';
import { usesMailServer } from './mail-provider.ts';
import {
  heapFlags,
  mallocEnv,
  memoryOf,
  type NodeProgram,
  postgresSettings,
  temporalEnv,
  temporalSettings,
} from './memory.ts';
import { freePort, freePortFrom, requireFreePort } from './ports.ts';
import { type Postgres, startPostgres, stopPostgres } from './postgres.ts';
import { ROOT } from './root.ts';
import { createService, type Service, stopLeftovers } from './service.ts';
import { startTemporal, stopTemporal, type Temporal } from './temporal-server.ts';

export interface StackPorts {
  api: number;
  mailbox: number;
  mailboxSmtp: number;
  temporal: number;
  /** Where Temporal serves its web page. Default: nowhere. */
  temporalUi?: number | undefined;
  /** Where the worker receives bounces. Default: nowhere. */
  bounces?: number | undefined;
  /** Where the api accepts messages by SMTP. Default: nowhere. */
  submission?: number | undefined;
  /** Default: a free port. */
  postgres?: number | undefined;
}

export interface StackOptions {
  dataDir: string;
  /**
   * Free ports are used for those not given; Temporal's web page is served only when its port is given. The api
   * requires its port; any other port that is in use is replaced by the next free one.
   */
  ports?: Partial<StackPorts>;
  /** Passed to api and worker. DATABASE_URL, TEMPORAL_ADDRESS and SMTP_URL each replace the embedded server. */
  env?: Record<string, string>;
  /** Starts with an empty DATA_DIR. */
  reset?: boolean;
  /** Build what is out of date before the start; default true. `'no-dashboard'` omits the dashboard. */
  build?: boolean | 'no-dashboard';
  /**
   * For a person at this machine: with the local mailbox domains need no DNS, and webhooks may go to this machine unless
   * WEBHOOK_ALLOW_LOOPBACK or an https API_URL says otherwise.
   */
  development?: boolean;
  /** For tests: the embedded PostgreSQL writes without fsync. */
  throwAway?: boolean;
  /** Restarts PostgreSQL and Temporal when they end unexpectedly. Tests that kill them restart them themselves. */
  keepServers?: boolean;
  /**
   * The stack is started when email can be sent, and the embedded Temporal server comes later: fetching or building it takes minutes on a
   * new machine.
   */
  engineLater?: boolean;
  /** The checkout whose api and worker are started; default this one. */
  root?: string;
  /** More for the first api or the first worker alone: each may have its own way to the servers. */
  first?: Partial<Record<'api' | 'worker', Record<string, string>>>;
  /** Other programs instead of api and worker. */
  entries?: Partial<Record<'api' | 'worker', string>>;
  /** Receives lines for the terminal. */
  onEvent?: (line: string) => void;
  /** Aborts the start; everything started so far is stopped. */
  signal?: AbortSignal;
}

export interface Stack {
  dataDir: DataDir;
  urls: {
    api: string;
    docs: string;
    graphql: string;
    dashboard: string;
    database: string;
    temporal: string;
    smtp: string | undefined;
    mailbox: string | undefined;
    temporalUi: string | undefined;
  };
  /** Requested ports that are in use and were replaced by the next free one. */
  movedPorts: Partial<Record<keyof StackPorts, number>>;
  /** The environment of api and worker. */
  env: Record<string, string>;
  processes: {
    /** With the profile `small`, both are one. */
    api: Service;
    worker: Service;
    postgres: Postgres | undefined;
    /** Undefined while it is not there yet. */
    readonly temporal: Temporal | undefined;
    mailbox: Service | undefined;
  };
  /** Resolves when Temporal answers; rejects if there is none. */
  engine: Promise<void>;
  /** Starts one more api beside the first, with its own log: on a free port unless `PORT` is given, and of another checkout if that is. */
  addApi(env?: Record<string, string>, root?: string): Promise<{ url: string; service: Service }>;
  /** Starts one more worker, with its own log, of another checkout if that is given. */
  addWorker(env?: Record<string, string>, root?: string): Promise<Service>;
  /** Stops everything in order: workers, api, mailbox, Temporal, PostgreSQL. */
  stop(): Promise<void>;
}

const MAILBOX = join(ROOT, 'tooling/local/src/mailbox/main.ts');

const entriesIn = (root: string) => ({
  api: join(root, 'apps/api/src/server.ts'),
  worker: join(root, 'apps/worker/src/main.ts'),
  small: join(root, 'apps/worker/src/small.ts'),
});

/** Starts everything that Postrider needs, and resolves when api and worker are ready. */
export async function startStack(options: StackOptions): Promise<Stack> {
  const dataDir = await openDataDir(options.dataDir);
  const stops: (() => Promise<void>)[] = [dataDir.release];
  const stop = async () => {
    if (stops.length > 0) await dataDir.announceStop();
    for (;;) {
      const next = stops.pop();
      if (!next) return;
      await next();
    }
  };
  try {
    return await startAll(options, dataDir, stops, stop);
  } catch (error) {
    await stop();
    throw error;
  }
}

async function startAll(
  options: StackOptions,
  dataDir: DataDir,
  stops: (() => Promise<void>)[],
  stop: () => Promise<void>,
): Promise<Stack> {
  const { signal } = options;
  const onEvent = options.onEvent ?? (() => undefined);
  const given = { ...inherited(), ...options.env };

  await stopLeftovers(dataDir.pids);
  await stopPostgres(dataDir.postgres);
  await stopTemporal(dataDir.temporalDb);
  if (options.reset) await wipeDataDir(dataDir);
  const plan = {
    postgres: given.DATABASE_URL === undefined,
    temporal: given.TEMPORAL_ADDRESS === undefined,
    mailbox: given.SMTP_URL === undefined && usesMailServer(given),
  };
  const { ports, movedPorts } = await choosePorts(options.ports ?? {}, plan);

  const keep = (name: string, server: Postgres | Temporal, into = stops) => {
    if (options.keepServers) watch(name, server, onEvent, into);
    else into.push(() => server.stop());
  };
  const run = async (
    program: NodeProgram,
    name: string,
    entry: string,
    env: Record<string, string>,
    root?: string,
  ): Promise<Service> => {
    const { logs, pids } = dataDir;
    const service = createService({
      ...{ name, entry, root, logs, pids, onEvent },
      env: { ...mallocEnv, ...env },
      flags: heapFlags(program, env),
      readyWithoutEngine: options.engineLater,
    });
    stops.push(() => service.stop());
    await unlessAborted(service.start(), signal);
    return service;
  };
  let temporal: Temporal | undefined;
  const ofTemporal: (() => Promise<void>)[] = [];
  const embedded = plan.temporal
    ? startTemporal({
        dbFile: dataDir.temporalDb,
        port: ports.temporal,
        logFile: join(dataDir.logs, 'temporal.log'),
        namespace: given.TEMPORAL_NAMESPACE ?? 'default',
        beside: options.engineLater,
        env: temporalEnv,
        settings: temporalSettings,
        ...(ports.temporalUi === undefined ? {} : { uiPort: ports.temporalUi }),
        ...(signal ? { signal } : {}),
      }).then((server) => {
        keep('Temporal', server, ofTemporal);
        temporal = server;
      })
    : Promise.resolve();
  // It is stopped after the workers, whenever it comes. A failure is for those who await `engine`.
  stops.push(async () => {
    await embedded.catch(() => undefined);
    for (const end of ofTemporal.toReversed()) await end();
  });
  const [postgres, mailbox] = await settle([
    plan.postgres
      ? startPostgres({
          dataDir: dataDir.postgres,
          logFile: join(dataDir.logs, 'postgres.log'),
          ...(ports.postgres === undefined ? {} : { port: ports.postgres }),
          ...(options.throwAway ? { throwAway: true } : {}),
          ...(options.throwAway ? {} : { settings: postgresSettings(memoryOf(given)) }),
        }).then((server) => {
          keep('PostgreSQL', server);
          return server;
        })
      : undefined,
    plan.mailbox
      ? run('mailbox', 'mailbox', MAILBOX, {
          ...given,
          MAILBOX_DIR: dataDir.mailbox,
          MAILBOX_PORT: String(ports.mailbox),
          MAILBOX_SMTP_PORT: String(ports.mailboxSmtp),
          DASHBOARD_URL: given.DASHBOARD_URL ?? given.API_URL ?? `http://localhost:${ports.api}`,
        })
      : undefined,
    options.build === false
      ? undefined
      : build({ dashboard: options.build !== 'no-dashboard', ...(signal ? { signal } : {}) }),
    options.engineLater ? undefined : embedded,
  ] as const);
  signal?.throwIfAborted();

  const apiUrl = given.API_URL ?? `http://localhost:${ports.api}`;
  const env: Record<string, string> = {
    ...given,
    DATABASE_URL: given.DATABASE_URL ?? postgres?.url ?? '',
    TEMPORAL_ADDRESS: given.TEMPORAL_ADDRESS ?? `127.0.0.1:${ports.temporal}`,
    TEMPORAL_NAMESPACE: given.TEMPORAL_NAMESPACE ?? 'default',
    // Sign-up is open on a machine of a developer.
    HOST: given.HOST ?? '127.0.0.1',
    // No load balancer has to notice that it stops.
    DRAIN_SECONDS: given.DRAIN_SECONDS ?? '0',
    PORT: String(ports.api),
    API_URL: apiUrl,
    DATA_DIR: dataDir.path,
    APP_SECRET: given.APP_SECRET ?? (await appSecret(dataDir.path)),
    ...(plan.mailbox ? { SMTP_URL: `smtp://127.0.0.1:${ports.mailboxSmtp}` } : {}),
    ...(options.development ? developmentSettings(given, apiUrl, plan.mailbox ? ports.mailbox : null) : {}),
    ...(ports.bounces === undefined ? {} : { BOUNCE_PORT: String(ports.bounces) }),
    ...(ports.submission === undefined ? {} : { SUBMISSION_PORT: String(ports.submission) }),
  };
  await writeEnvironment(dataDir.path, env);
  const isSmall = given.PROFILE === 'small';
  const entriesOf = (root: string) => ({ ...entriesIn(root), ...options.entries });
  const entries = entriesOf(options.root ?? ROOT);
  // The api applies the migrations, so the worker starts after it.
  const api = isSmall
    ? await run('small', 'postrider', entries.small, env, options.root)
    : await run('api', 'api', entries.api, { ...env, ...options.first?.api }, options.root);
  const worker = isSmall
    ? api
    : await run('worker', 'worker', entries.worker, { ...env, ...options.first?.worker }, options.root);
  let apis = 1;
  let workers = 1;

  return {
    dataDir,
    urls: {
      api: apiUrl,
      docs: `${apiUrl}/docs`,
      graphql: `${apiUrl}/graphql`,
      dashboard: given.DASHBOARD_URL ?? apiUrl,
      database: env.DATABASE_URL ?? '',
      temporal: env.TEMPORAL_ADDRESS ?? '',
      smtp: env.SMTP_URL,
      mailbox: plan.mailbox ? `http://localhost:${ports.mailbox}` : undefined,
      temporalUi:
        plan.temporal && ports.temporalUi !== undefined ? `http://localhost:${ports.temporalUi}` : undefined,
    },
    movedPorts,
    env,
    processes: {
      ...{ api, worker, postgres, mailbox },
      get temporal() {
        return temporal;
      },
    },
    engine: embedded,
    async addApi(extra, root = options.root) {
      apis++;
      const port = extra?.PORT ?? String(await freePort());
      // A port has one listener: the first api.
      const { SUBMISSION_PORT: _, ...others } = env;
      const own = { ...others, ...extra, PORT: port };
      const { api: entry } = entriesOf(root ?? ROOT);
      const service = await run('api', `api-${apis}`, entry, own, root);
      return { url: `http://localhost:${port}`, service };
    },
    addWorker(extra, root = options.root) {
      workers++;
      // A port has one listener: the first worker.
      const { BOUNCE_PORT: _, ...others } = env;
      const { worker: entry } = entriesOf(root ?? ROOT);
      return run('worker', `worker-${workers}`, entry, { ...others, ...extra }, root);
    },
    stop,
  };
}

/** What `npm start` allows on the machine of a developer (behaviour B15.9). Production refuses each of it. */
function developmentSettings(
  given: Record<string, string>,
  apiUrl: string,
  mailboxPort: number | null,
): Record<string, string> {
  if (given.NODE_ENV === 'production') return {};
  const allowLoopback = given.WEBHOOK_ALLOW_LOOPBACK ?? String(apiUrl.startsWith('http:'));
  return {
    WEBHOOK_ALLOW_LOOPBACK: allowLoopback,
    ...(mailboxPort === null ? {} : { MAILBOX_URL: `http://localhost:${mailboxPort}` }),
  };
}

/** The environment of this process without the variables of the test runner. */
function inherited(): Record<string, string> {
  const entries = Object.entries(process.env).filter(
    (entry): entry is [string, string] =>
      Boolean(entry[1]) && !/^(VITEST|NODE_ENV$|NODE_CHANNEL)/.test(entry[0]),
  );
  const { NODE_ENV } = process.env;
  return { ...Object.fromEntries(entries), ...(NODE_ENV === 'production' ? { NODE_ENV } : {}) };
}

/**
 * The port of the api must be free, because its address is used from outside; a port in use is an error that names
 * PORT. The other ports are internal: one in use is replaced by the next free one. Ports that are not requested are
 * random.
 */
async function choosePorts(
  asked: Partial<StackPorts>,
  plan: { postgres: boolean; temporal: boolean; mailbox: boolean },
): Promise<{ ports: StackPorts; movedPorts: Stack['movedPorts'] }> {
  const movedPorts: Stack['movedPorts'] = {};
  const spokenFor = new Set<number>(asked.api === undefined ? [] : [asked.api]);
  const internal = async (name: Exclude<keyof StackPorts, 'api'>, used: boolean): Promise<number> => {
    const wanted = asked[name];
    if (wanted === undefined) return freePort();
    if (!used) return wanted;
    const port = await freePortFrom(wanted, spokenFor);
    spokenFor.add(port);
    if (port !== wanted) movedPorts[name] = wanted;
    return port;
  };
  if (asked.api !== undefined) await requireFreePort('PORT', asked.api);
  const ports: StackPorts = {
    api: asked.api ?? (await freePort()),
    mailbox: await internal('mailbox', plan.mailbox),
    mailboxSmtp: await internal('mailboxSmtp', plan.mailbox),
    temporal: await internal('temporal', plan.temporal),
  };
  if (asked.temporalUi !== undefined) ports.temporalUi = await internal('temporalUi', plan.temporal);
  if (asked.bounces !== undefined) ports.bounces = await internal('bounces', true);
  if (asked.submission !== undefined) ports.submission = await internal('submission', true);
  if (asked.postgres !== undefined) ports.postgres = await internal('postgres', plan.postgres);
  return { ports, movedPorts };
}

/** Waits for all of them even if one fails, so that everything that has started can be stopped. */
async function settle<T extends readonly unknown[]>(tasks: T): Promise<{ [K in keyof T]: Awaited<T[K]> }> {
  const results = await Promise.allSettled(tasks);
  for (const result of results) {
    if (result.status === 'rejected') throw result.reason;
  }
  return results.map((result) => (result as PromiseFulfilledResult<unknown>).value) as {
    [K in keyof T]: Awaited<T[K]>;
  };
}

async function unlessAborted<T>(work: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (!signal) return work;
  const aborted = Promise.withResolvers<never>();
  const abort = () => aborted.reject(signal.reason);
  signal.addEventListener('abort', abort, { once: true });
  try {
    signal.throwIfAborted();
    return await Promise.race([work, aborted.promise]);
  } finally {
    signal.removeEventListener('abort', abort);
    // After an abort, a failure of the work is expected.
    work.catch(() => undefined);
  }
}

/** Restarts a server when it ends unexpectedly. */
function watch(
  name: string,
  server: Postgres | Temporal,
  onEvent: (line: string) => void,
  stops: (() => Promise<void>)[],
): void {
  let wanted = true;
  const follow = async (): Promise<void> => {
    await server.ended;
    if (!wanted) return;
    onEvent(`${name} ended. Restarting it.`);
    await server.start();
    return follow();
  };
  follow().catch((error: unknown) => onEvent(`${name} cannot be restarted: ${String(error)}`));
  stops.push(() => {
    wanted = false;
    return server.stop();
  });
}
