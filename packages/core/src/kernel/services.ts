import type { Logger } from 'pino';
import type { Database } from '../db/client.ts';
import type { CoreConfig } from './config.ts';
import type { DnsResolver } from './ports/dns.ts';
import type { OutgoingHttp } from './ports/outgoing-http.ts';
import type { PlatformMailer } from './ports/platform-mailer.ts';
import type { WorkflowEngine } from './ports/workflow-engine.ts';
import type { Secrets } from './secrets.ts';

/** The services available to operations, composed once per process. */
export interface Services {
  config: CoreConfig;
  database: Database;
  engine: WorkflowEngine;
  dns: DnsResolver;
  /** requests to URLs given by customers; never to private networks */
  http: OutgoingHttp;
  secrets: Secrets;
  platformMail: PlatformMailer;
  log: Logger;
  /** A hint that something of the project changed: events and memberships that wait are followed up. Cheap, coalesced. */
  announceNews(projectId: string): void;
}
