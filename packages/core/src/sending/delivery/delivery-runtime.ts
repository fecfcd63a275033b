import { EventEmitter } from 'node:events';
import { hostname } from 'node:os';
import type pg from 'pg';
import { openClient } from '../../db/index.ts';
import type { MailTransport } from '../../kernel/ports/mail-transport.ts';
import type { Services } from '../../kernel/services.ts';
import type { DeliveryOptions } from './delivery-options.ts';
import { LedgerConnection } from './ledger-connection.ts';
import { MessageFactory } from './message-factory.ts';
import { Recorder } from './recorder.ts';
import { RouteGuard } from './route-guard.ts';
import { Semaphore } from './semaphore.ts';
import { Settler } from './settler.ts';

/** The PostgreSQL channel for notifications of new email, with the project's id as payload. */
export const outboxChannel = 'postrider_outbox';

/** Connections reserved for email outside of campaigns. */
const reservedConnections = 2;

/**
 * The shared resources of all lanes in one worker process: the transport, one database connection for each kind of
 * ledger statement, compiled messages, and the listener for new email.
 */
export class DeliveryRuntime {
  readonly worker = `${hostname()}:${process.pid}`;
  readonly claims: LedgerConnection;
  readonly leases: LedgerConnection;
  readonly recorder: Recorder;
  readonly settler: Settler;
  readonly messages: MessageFactory;
  readonly route: RouteGuard;
  /** connections that campaigns may use; the rest is reserved for transactional and workflow email */
  readonly bulkConnections: Semaphore;
  activeBulkLanes = 0;
  readonly newMail = new EventEmitter().setMaxListeners(0);
  readonly #connections: LedgerConnection[];
  #listener: pg.Client | null = null;
  #closed = false;

  readonly services: Services;
  readonly transport: MailTransport;
  readonly options: DeliveryOptions;

  constructor(services: Services, transport: MailTransport, options: DeliveryOptions) {
    this.services = services;
    this.transport = transport;
    this.bulkConnections = new Semaphore(Math.max(1, transport.connections - reservedConnections));
    this.options = options;
    const url = services.config.DATABASE_URL;
    const connect = (asyncCommit: boolean, connections = 1): LedgerConnection =>
      new LedgerConnection(url, { asyncCommit, connections });
    this.claims = connect(true, 2);
    this.leases = connect(true);
    const record = connect(false);
    const durable = connect(false);
    const counters = connect(true);
    this.#connections = [this.claims, this.leases, record, durable, counters];
    this.recorder = new Recorder(record);
    this.settler = new Settler(durable, counters);
    this.messages = new MessageFactory(services);
    this.route = new RouteGuard(services, options);
    void this.#listen();
  }

  async close(): Promise<void> {
    this.#closed = true;
    await this.transport.close();
    await this.#listener?.end().catch(() => undefined);
    await Promise.all(this.#connections.map((connection) => connection.close()));
  }

  /** Listens for new email. A broken connection is replaced; until then lanes find new email by polling. */
  async #listen(): Promise<void> {
    while (!this.#closed) {
      const client = openClient({
        connectionString: this.services.config.DATABASE_URL,
        connectionTimeoutMillis: 10_000,
      });
      try {
        client.on('notification', ({ payload }) => this.newMail.emit(payload ?? ''));
        const ended = new Promise<void>((resolve) => {
          client.once('end', () => resolve());
          client.once('error', () => resolve());
        });
        await client.connect();
        await client.query(`LISTEN ${outboxChannel}`);
        this.#listener = client;
        await ended;
      } catch (error) {
        this.services.log.debug({ err: error }, 'cannot listen for new mail yet');
      }
      await client.end().catch(() => undefined);
      if (!this.#closed) await new Promise((resolve) => setTimeout(resolve, 500));
    }
  }
}
