import type { Logger } from 'pino';
import { openDatabase } from '../db/index.ts';
import { createNewsAnnouncer } from '../follow-ups/index.ts';
import type { CoreConfig } from '../kernel/config.ts';
import { createSecrets } from '../kernel/secrets.ts';
import type { Services } from '../kernel/services.ts';
import { createPlatformMailer } from '../sending/index.ts';
import { createDnsResolver } from './dns/index.ts';
import { createOutgoingHttp } from './http/index.ts';
import { createTemporalEngine } from './temporal/temporal-engine.ts';

export interface ComposedServices extends Services {
  close(): Promise<void>;
}

/** Creates a process's services from its configuration; nothing connects before its first use. */
export function composeServices(
  config: CoreConfig,
  log: Logger,
  options: { connections?: number } = {},
): ComposedServices {
  const database = openDatabase(config.DATABASE_URL, options);
  const engine = createTemporalEngine({
    address: config.TEMPORAL_ADDRESS,
    namespace: config.TEMPORAL_NAMESPACE,
    apiKey: config.TEMPORAL_API_KEY,
    log,
  });
  const services = {
    config,
    database,
    engine,
    dns: createDnsResolver({ servers: config.dnsServers }),
    http: createOutgoingHttp({ allowedHosts: config.webhookAllowedHosts }),
    secrets: createSecrets(config.APP_SECRET, config.previousSecrets),
    log,
    announceNews: createNewsAnnouncer(database.relaxed, engine, (error, projectId) =>
      log.warn({ err: error, projectId }, 'could not look for news; reconcile will'),
    ),
  };
  return {
    ...services,
    platformMail: createPlatformMailer(services),
    async close() {
      await Promise.all([engine.close(), database.close()]);
    },
  };
}
