import type { Pool } from 'pg';
import { byKeys, openPool, readSchemaState, type SchemaState } from '../../base/db/index.ts';
import { NotReached } from './finding.ts';
import { readServerFacts, type ServerFacts } from './server.store.ts';

/** No statement of a check takes longer. */
const statementTimeoutMs = 15_000;
const connectTimeoutMs = 8_000;

const options = (settings: Readonly<Record<string, string>>): string =>
  Object.entries(settings)
    .map(([name, value]) => `-c ${name}=${value}`)
    .join(' ');

/** The database as checks see it: they read by index where a table may be large, and cannot write. */
export class ExaminedDatabase {
  /** as processes of the product are connected, for what settings of a connection change */
  readonly #plain: Pool;
  readonly #readOnly: Pool;
  #facts: Promise<ServerFacts> | undefined;
  #schema: Promise<SchemaState> | undefined;

  constructor(url: string) {
    const shared = {
      connectionString: url,
      application_name: 'postrider doctor',
      connectionTimeoutMillis: connectTimeoutMs,
      statement_timeout: statementTimeoutMs,
      query_timeout: statementTimeoutMs + 2_000,
    };
    this.#plain = openPool({ ...shared, max: 1 });
    this.#readOnly = openPool({
      ...shared,
      max: 4,
      options: options({ ...byKeys, default_transaction_read_only: 'on' }),
    });
  }

  /** @throws what the connection failed with */
  facts(): Promise<ServerFacts> {
    this.#facts ??= readServerFacts(this.#plain);
    return this.#facts;
  }

  /** @throws NotReached */
  async pool(): Promise<Pool> {
    await this.reachedFacts();
    return this.#readOnly;
  }

  schema(): Promise<SchemaState> {
    this.#schema ??= this.pool().then(readSchemaState);
    return this.#schema;
  }

  /** For what reads tables of this version. @throws NotReached, also where there are none */
  async ofThisVersion(): Promise<Pool> {
    const { kind, pending } = await this.schema();
    if (kind !== 'known' || pending.length > 0)
      throw new NotReached('the schema is not that of this version');
    return this.pool();
  }

  /** @throws NotReached */
  async reachedFacts(): Promise<ServerFacts> {
    try {
      return await this.facts();
    } catch {
      throw new NotReached('PostgreSQL was not reached');
    }
  }

  async close(): Promise<void> {
    await Promise.all([this.#plain.end(), this.#readOnly.end()]);
  }
}
