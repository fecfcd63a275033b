import type { Logger } from 'pino';
import type { Database } from '../db/client.ts';
import type { CoreConfig } from './config.ts';
import type { DnsResolver } from './ports/dns.ts';
import type { OutgoingHttp } from './ports/outgoing-http.ts';
import type { WorkflowEngine } from './ports/workflow-engine.ts';
import type { Secrets } from './secrets.ts';

/** What operations are given to work with; composed once per process, with doubles nowhere but for paid providers. */
export interface Services {
  config: CoreConfig;
  database: Database;
  engine: WorkflowEngine;
  dns: DnsResolver;
  /** requests to addresses that customers name; never into private networks */
  http: OutgoingHttp;
  secrets: Secrets;
  log: Logger;
  /** A hint that something of the project changed: events and memberships that wait are followed up. Cheap, coalesced. */
  announceNews(projectId: string): void;
}
