import type { Client } from 'pg';
import { openClient } from './connect.ts';
import { secondsFor, type TableWork, workOf } from './migration-work.rules.ts';
import { type Migration, readMigrations } from './migrations.ts';
import { divide, readStoredSchema, refuseSkipped, SchemaError } from './schema-fit.ts';
import { readSchemaState } from './schema-state.ts';
import { version } from './version.ts';

export interface PendingMigration extends Pick<Migration, 'name' | 'kind' | 'sql'> {
  tables: readonly TableWork[];
  /** of these tables together, as the statistics say */
  rows: number;
  /** about how long it takes */
  seconds: number;
  /** it follows while this version runs */
  isDeferred: boolean;
}

export interface Pending {
  /** why this version cannot migrate the database; null if it can */
  problem: string | null;
  migrations: PendingMigration[];
  /** functions and triggers are those of an earlier version */
  hasOlderFunctions: boolean;
}

/** What `migrate` and `settle` would apply. Reads only. */
export async function findPendingWork(databaseUrl: string): Promise<Pending> {
  const client = openClient({ connectionString: databaseUrl });
  await client.connect();
  try {
    const state = await readSchemaState(client);
    const all = await readMigrations();
    const names = new Set([...state.pending, ...state.deferred]);
    const isNew = names.size === all.length;
    const pending = all.filter(({ name }) => names.has(name));
    const { needed } = divide(pending, version, isNew);
    const migrations: PendingMigration[] = [];
    for (const one of pending)
      migrations.push(await describe(client, one, state.deferred.includes(one.name)));
    const problem =
      state.misfit ?? problemOf(state.kind, state.changed) ?? (await skipped(client, needed, isNew));
    return { problem, migrations, hasOlderFunctions: state.hasOlderFunctions };
  } finally {
    await client.end();
  }
}

function problemOf(kind: string, changed: readonly string[]): string | null {
  if (kind === 'former')
    return 'This database was set up by an earlier version, whose migrations are gone: start the last version of that series once.';
  return changed.length > 0 ? `Migrations have changed since they were applied: ${changed.join(', ')}` : null;
}

async function skipped(client: Client, needed: readonly Migration[], isNew: boolean): Promise<string | null> {
  try {
    if (!isNew) refuseSkipped(needed, version, await readStoredSchema(client));
    return null;
  } catch (error) {
    if (error instanceof SchemaError) return error.message;
    throw error;
  }
}

async function describe(
  client: Client,
  { name, kind, sql, table }: Migration,
  isDeferred: boolean,
): Promise<PendingMigration> {
  const tables = workOf(sql);
  const names = [...new Set([...tables.map((each) => each.table), ...(table === null ? [] : [table])])];
  const { rows } = await client.query<{ table: string; rows: number }>(
    `SELECT "table", sum(greatest(c.reltuples, 0))::float8 AS "rows" FROM unnest($1::text[]) n("table")
     JOIN pg_class c ON c.oid = to_regclass(quote_ident("table"))
       OR c.oid IN (SELECT inhrelid FROM pg_inherits WHERE inhparent = to_regclass(quote_ident("table"))) GROUP BY 1`,
    [names],
  );
  const rowsOf = new Map(rows.map((each) => [each.table, each.rows]));
  return {
    name,
    kind,
    sql,
    tables,
    isDeferred,
    rows: [...rowsOf.values()].reduce((sum, each) => sum + each, 0),
    seconds: tables.reduce((sum, each) => sum + secondsFor(each.work, rowsOf.get(each.table) ?? 0), 0),
  };
}
