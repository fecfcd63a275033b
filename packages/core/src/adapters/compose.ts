import type { Logger } from 'pino';
import { type DatabaseOptions, followPassword, openDatabase } from '../base/db/index.ts';
import { createFollowUpScheduler } from '../base/follow-ups/index.ts';
import { judgeAgentsBy } from '../base/kernel/agents.ts';
import type { CoreConfig } from '../base/kernel/config.ts';
import { EngineWatch } from '../base/kernel/engine-watch.ts';
import { untilMemory } from '../base/kernel/memory-level.ts';
import { readSecretFile } from '../base/kernel/secret-files.ts';
import { createSecrets } from '../base/kernel/secrets.ts';
import type { Services } from '../base/kernel/services.ts';
import { countTaskLimit } from '../base/kernel/task-limits.ts';
import { observeTurn } from '../base/kernel/turn-wait.ts';
import { Turnstile } from '../base/kernel/turnstile.ts';
import { databaseServers, forPrograms } from '../base/lib/index.ts';
import { LiveHub } from '../base/live/index.ts';
import { createPlatformMailer } from '../mail/platform-mail/index.ts';
import { OwnerCache, OwnerDays } from '../people/projects/index.ts';
import { createDnsResolver } from './dns/index.ts';
import { createFiles } from './files/create-files.ts';
import { createOutgoingHttp } from './http/index.ts';
import { createIdentityProviders } from './identity/index.ts';
import { createSenderIdentities } from './mail-transport.ts';
import { createStripePayments } from './stripe/index.ts';
import { createTemporalClient } from './temporal/temporal-client.ts';
import { createThreads } from './threads/index.ts';

// It knows all areas, and few processes need it.
judgeAgentsBy(async (...call) => {
  const { judgeAgent } = await import('../insight/approvals/index.ts');
  await judgeAgent(...call);
});

export interface ComposeOptions extends DatabaseOptions {
  /** Whether calls of a Temporal server that does not answer are repeated until their deadline; default true. */
  repeatTemporalCalls?: boolean;
  /** For how long a task waits for a thread, in milliseconds; default without end. */
  taskPatienceMs?: number;
  /** The most threads for texts of customers; default one per core, at least two. */
  threads?: number | undefined;
}

export interface ComposedServices extends Services {
  close(): Promise<void>;
}

/** Creates a process's services from its configuration; nothing connects before its first use. */
export function composeServices(
  config: CoreConfig,
  log: Logger,
  { repeatTemporalCalls, taskPatienceMs, threads, ...options }: ComposeOptions = {},
): ComposedServices {
  const { DATABASE_URL: url, DATABASE_URL_FILE: file } = config;
  if (file !== undefined) followPassword(url, () => passwordIn(readSecretFile(file)));
  const database = openDatabase(url, options);
  const workflows = createTemporalClient({
    address: config.TEMPORAL_ADDRESS,
    namespace: config.TEMPORAL_NAMESPACE,
    apiKey: config.TEMPORAL_API_KEY,
    log,
    repeatsCalls: repeatTemporalCalls,
  });
  const owners = new OwnerCache(database, log);
  const days = new OwnerDays(database, log);
  const services = {
    config,
    database,
    workflows,
    engine: new EngineWatch(workflows),
    dns: createDnsResolver({ servers: config.dnsServers }),
    http: createOutgoingHttp({
      allowedHosts: config.webhookAllowedHosts,
      loopback: config.WEBHOOK_ALLOW_LOOPBACK ? { closedPorts: servicePortsOf(config) } : null,
    }),
    files: createFiles(config),
    senderIdentities: createSenderIdentities(config),
    secrets: createSecrets(config.APP_SECRET, config.previousSecrets),
    identityProviders: createIdentityProviders(config),
    owners,
    threads: createThreads(
      config,
      owners,
      {
        onWaited: (since) => observeTurn('thread', since),
        onSlow({ owner }, projectId) {
          days.slowMinute(owner);
          log.warn({ ownerId: owner, projectId }, 'owner is slow');
        },
        onLimit(task, { owner }, limit) {
          countTaskLimit(task);
          days.taskLimit(owner);
          log.warn({ task, limit, ownerId: owner }, 'task limit');
        },
      },
      { patienceMs: taskPatienceMs, size: threads },
    ),
    jobTurns: new Turnstile(owners, { what: 'job', places: 4, ofTurn: 3, before: untilMemory }),
    payments: config.STRIPE_SECRET_KEY
      ? createStripePayments({
          secretKey: config.STRIPE_SECRET_KEY,
          webhookSecret: config.STRIPE_WEBHOOK_SECRET,
          apiBase: config.STRIPE_API_BASE,
        })
      : null,
    live: new LiveHub({ config, database, log, owners, days }),
    log,
    scheduleFollowUps: createFollowUpScheduler(database.asyncCommit, workflows, (error, projectId) =>
      log.warn({ err: error, projectId }, 'could not look for follow-ups; reconcile will'),
    ),
  };
  return {
    ...services,
    platformMail: createPlatformMailer(services),
    async close() {
      await services.live.close();
      await Promise.all([workflows.close(), services.threads.close(), services.files.close()]);
      await days.close();
      await database.close();
    },
  };
}

/** The password of a database URL, as it is sent. */
const passwordIn = (url: string): string => forPrograms(url).password;

/** Ports of this machine's services that no webhook may speak to. */
function servicePortsOf(config: CoreConfig): number[] {
  const { DATABASE_URL, TEMPORAL_ADDRESS, SMTP_URL, SUBMISSION_PORT, BOUNCE_PORT } = config;
  const urls = [...databaseServers(DATABASE_URL), `tcp://${TEMPORAL_ADDRESS}`, SMTP_URL];
  const named = urls.map((text) => Number(URL.parse(text)?.port || 0));
  return [...named, SUBMISSION_PORT ?? 0, BOUNCE_PORT ?? 0].filter((port) => port > 0);
}
