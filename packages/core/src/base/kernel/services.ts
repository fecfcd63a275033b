import type { Logger } from 'pino';
import type { Database } from '../db/client.ts';
import type { CoreConfig } from './config.ts';
import type { EngineWatch } from './engine-watch.ts';
import type { DnsResolver } from './ports/dns.ts';
import type { FileStorage } from './ports/file-storage.ts';
import type { IdentityProviders } from './ports/identity-providers.ts';
import type { Live } from './ports/live.ts';
import type { OutgoingHttp } from './ports/outgoing-http.ts';
import type { KnownOwners } from './ports/owners.ts';
import type { Payments } from './ports/payments.ts';
import type { PlatformMailer } from './ports/platform-mailer.ts';
import type { SenderIdentities } from './ports/sender-identities.ts';
import type { Threads } from './ports/threads.ts';
import type { WorkflowClient } from './ports/workflow-client.ts';
import type { Secrets } from './secrets.ts';
import type { Turnstile } from './turnstile.ts';

/** The services available to operations, composed once per process. */
export interface Services {
  config: CoreConfig;
  database: Database;
  workflows: WorkflowClient;
  /** whether the server of `workflows` answers */
  engine: EngineWatch;
  dns: DnsResolver;
  /** requests to URLs given by customers; never to private networks */
  http: OutgoingHttp;
  secrets: Secrets;
  /** notices changes of records, in whichever process they happen */
  live: Live;
  /** images of emails */
  files: FileStorage;
  /** sender domains at the provider that signs messages; null when they are signed here */
  senderIdentities: SenderIdentities | null;
  platformMail: PlatformMailer;
  /** providers that users sign in with */
  identityProviders: IdentityProviders;
  /** the payment provider; null while billing is off */
  payments: Payments | null;
  /** whose turn the work of a project is */
  owners: KnownOwners;
  /** in which order this process works on imports, exports and bulk changes, a batch at a time */
  jobTurns: Turnstile;
  /** where templates of customers are parsed and rendered */
  threads: Threads;
  log: Logger;
  /** Starts the workflows that follow up pending events and memberships of a project. A debounced hint, to be given after the commit. */
  scheduleFollowUps(projectId: string): void;
  /** those of a dry run, which nothing leaves. @see rehearse */
  isRehearsal?: true;
}
