import { setTimeout as delay } from 'node:timers/promises';
import type pg from 'pg';
import { databaseServers } from '../lib/index.ts';
import { databaseIsUnreachable } from './availability.ts';

/** A server that says nothing for so long is away. Long: the machine of this process may be the slow one. */
export const answerMs = 8_000;
/** How long after an answer a server that takes no writes is asked again. */
const againMs = 1_000;
/** How long a server that was found is connected to without a look at the others. */
const foundForMs = 1_000;
/** How long nothing is asked after none took writes: many wait for the answer. */
const noneForMs = 100;
/** For answers of the others once one takes writes: after a failover, the old primary may be the one that is nearer. */
const othersMs = 200;

/** What a server says about itself. */
interface Facts {
  /** the system identifier: standbys have that of their primary */
  cluster: string;
  /** of a server that writes; each promotion begins a higher one. Null on a standby, and where the server does not tell */
  timeline: number | null;
  isStandby: boolean;
  isReadOnly: boolean;
}

interface Address {
  host: string;
  port: number;
}

interface Answer {
  address: Address;
  facts: Facts | null;
  error: unknown;
}

/** read_only_sql_transaction: what PostgreSQL answers a write where there are none. */
export const readOnly = '25006';

/** A server that must not be used: it takes no writes, or another one was promoted in its place. */
export class NotPrimary extends Error {
  readonly code = readOnly;
}

/** Functions that a managed service, or the rights of a user, may withhold. */
const withheld = /^(0A000|42501|42883|55000)$/;

/**
 * `pg_walfile_name` names the timeline that is written to now. The control file would say it later: only the first checkpoint after a
 * promotion writes it there.
 */
const factsSql = `SELECT
  (SELECT "system_identifier"::text FROM pg_control_system()) AS "cluster",
  pg_is_in_recovery() AS "isStandby",
  current_setting('default_transaction_read_only') = 'on' AS "isReadOnly",
  CASE WHEN NOT pg_is_in_recovery() THEN pg_walfile_name(pg_current_wal_lsn()) END AS "walFile"`;

async function readFacts(client: pg.ClientBase): Promise<Facts> {
  try {
    const { rows } = await client.query<Omit<Facts, 'timeline'> & { walFile: string | null }>(factsSql);
    const [{ walFile = null, ...facts } = { cluster: '', isStandby: false, isReadOnly: false }] = rows;
    return { ...facts, timeline: walFile === null ? null : Number.parseInt(walFile.slice(0, 8), 16) };
  } catch (error) {
    if (!withheld.test(String((error as { code?: unknown }).code))) throw error;
    return { cluster: '', timeline: null, isStandby: false, isReadOnly: false };
  }
}

export interface ServersOptions {
  /** makes a connection to one server, for one question */
  openProbe(url: string): pg.Client;
  /** ends a connection at once */
  breakConnection(client: pg.Client, reason: Error): void;
}

/**
 * The servers that one address names: one of them is the primary. A process remembers the highest timeline that it has seen of them, and
 * uses no server with a lower one: that is a primary of before a failover, which does not know of its successor.
 */
export class Servers {
  readonly #urls: readonly [string, ...string[]];
  readonly #options: ServersOptions;
  /** the highest timeline of each cluster: a server may be replaced by that of another one */
  readonly #highest = new Map<string, number>();
  readonly #connected = new Map<pg.Client, Facts>();
  #found: { address: Address; at: number } | null = null;
  #none: { error: unknown; at: number } | null = null;
  #search: Promise<Address> | null = null;

  constructor(url: string, options: ServersOptions) {
    this.#urls = databaseServers(url);
    this.#options = options;
  }

  get areSeveral(): boolean {
    return this.#urls.length > 1;
  }

  /** the address of the first of them */
  get first(): string {
    return this.#urls[0];
  }

  /** Where a server takes writes. @throws NotPrimary, or what the first of them fails with when all fail */
  find(): Promise<Address> {
    const found = this.#found;
    if (found && performance.now() - found.at < foundForMs) return Promise.resolve(found.address);
    const none = this.#none;
    if (none && performance.now() - none.at < noneForMs) return Promise.reject(none.error);
    this.#search ??= this.#ask()
      .catch((error: unknown) => {
        this.#none = { error, at: performance.now() };
        throw error;
      })
      .finally(() => {
        this.#search = null;
      });
    return this.#search;
  }

  /** The next connection looks for the primary again. */
  forget(): void {
    this.#found = null;
  }

  /** Lets a new connection in. @throws NotPrimary */
  async admit(client: pg.Client): Promise<void> {
    const facts = await readFacts(client);
    if (this.areSeveral && facts.isStandby)
      throw new NotPrimary('The server became a standby while it was connected to');
    this.#assertNotReplaced(facts);
    this.#connected.set(client, facts);
    client.once('end', () => {
      this.#connected.delete(client);
      this.forget();
    });
  }

  #assertNotReplaced(facts: Facts): void {
    const { cluster, timeline } = facts;
    if (timeline === null) return;
    const highest = this.#highest.get(cluster) ?? 0;
    if (timeline < highest)
      throw new NotPrimary(
        `The server writes timeline ${timeline}, and another one was promoted to timeline ${highest}: it is a primary of before the failover`,
      );
    if (timeline === highest) return;
    this.#highest.set(cluster, timeline);
    for (const [client, of] of this.#connected)
      if (of.cluster === cluster && of.timeline !== null && of.timeline < timeline)
        this.#options.breakConnection(client, new NotPrimary('Another server was promoted'));
  }

  /**
   * Asks all at once, and those that take no writes again while others say nothing: one of them may be promoted meanwhile. Of several that
   * take writes, the one with the highest timeline is the primary.
   */
  async #ask(): Promise<Address> {
    const latest = new Map<string, Answer>();
    const { promise: ended, resolve: end } = Promise.withResolvers<void>();
    let isOver = false;
    const ask = async (url: string): Promise<void> => {
      while (!isOver) {
        latest.set(url, await this.#askOne(url));
        if (latest.size === this.#urls.length) end();
        else if ([...latest.values()].some(takesWrites)) void pause(othersMs).then(end);
        await pause(againMs);
      }
    };
    for (const url of this.#urls) void ask(url);
    await ended;
    isOver = true;
    return this.#choose(this.#urls.flatMap((url) => latest.get(url) ?? []));
  }

  #choose(answers: readonly Answer[]): Address {
    const writable = answers
      .flatMap((answer) => (takesWrites(answer) ? [answer] : []))
      .sort((a, b) => (b.facts.timeline ?? 0) - (a.facts.timeline ?? 0));
    const [best] = writable;
    if (best) {
      this.#assertNotReplaced(best.facts);
      this.#found = { address: best.address, at: performance.now() };
      return best.address;
    }
    const other = answers.find(({ error }) => error !== null && !databaseIsUnreachable(error));
    if (other) throw other.error;
    if (answers.some(({ facts }) => facts !== null))
      throw new NotPrimary(`None of the servers takes writes: ${answers.map(described).join(', ')}`);
    throw answers[0]?.error;
  }

  async #askOne(url: string): Promise<Answer> {
    const client = this.#options.openProbe(url);
    const address = { host: client.host, port: client.port };
    try {
      await client.connect();
      return { address, facts: await readFacts(client), error: null };
    } catch (error) {
      return { address, facts: null, error };
    } finally {
      client.end().catch(() => undefined);
    }
  }
}

const pause = (ms: number): Promise<void> => delay(ms, undefined, { ref: false });

const takesWrites = (answer: Answer): answer is Answer & { facts: Facts } =>
  answer.facts !== null && !answer.facts.isStandby && !answer.facts.isReadOnly;

function described({ address, facts, error }: Answer): string {
  const state = facts
    ? facts.isStandby
      ? 'a standby'
      : 'read-only'
    : ((error as { code?: string }).code ?? (error as Error).message) || 'no answer';
  return `${address.host}:${address.port} (${state})`;
}
