import type { Pool } from 'pg';
import { Prisma, prepared } from '../../base/db/index.ts';

/** What PostgreSQL says of itself and of this database. */
export interface ServerFacts {
  version: string;
  versionNumber: number;
  encoding: string;
  user: string;
  /** null without one on the search path */
  schema: string | null;
  mayCreate: boolean;
  mayCreateExtensions: boolean;
  isReadOnly: boolean;
  isStandby: boolean;
  fsync: string;
  fullPageWrites: string;
  synchronousCommit: string;
  autovacuum: string;
  /** null for a user who may not see it */
  dataDirectory: string | null;
}

const facts = prepared<Record<string, never>>(
  'facts-of-server',
  () => Prisma.sql`
  SELECT current_setting('server_version') AS "version", current_setting('server_version_num')::int AS "versionNumber",
    (SELECT pg_encoding_to_char("encoding") FROM pg_database WHERE datname = current_database()) AS "encoding",
    current_user::text AS "user", current_schema()::text AS "schema",
    coalesce(has_schema_privilege(current_schema(), 'CREATE'), false) AS "mayCreate",
    has_database_privilege(current_database(), 'CREATE') AS "mayCreateExtensions",
    current_setting('transaction_read_only') = 'on' AS "isReadOnly", pg_is_in_recovery() AS "isStandby",
    current_setting('fsync') AS "fsync", current_setting('full_page_writes') AS "fullPageWrites",
    current_setting('synchronous_commit') AS "synchronousCommit", current_setting('autovacuum') AS "autovacuum",
    (SELECT "setting" FROM pg_settings WHERE "name" = 'data_directory') AS "dataDirectory"`,
);

export async function readServerFacts(client: Pick<Pool, 'query'>): Promise<ServerFacts> {
  const { rows } = await client.query<ServerFacts>(facts({}));
  if (!rows[0]) throw new Error('PostgreSQL said nothing of itself');
  return rows[0];
}

const time = prepared<Record<string, never>>(
  'time-of-server',
  () => Prisma.sql`SELECT extract(epoch FROM clock_timestamp())::float8 * 1000 AS "ms"`,
);

/** The clock of the database, in milliseconds since 1970. */
export async function readServerClock(client: Pick<Pool, 'query'>): Promise<number> {
  const { rows } = await client.query<{ ms: number }>(time({}));
  return rows[0]?.ms ?? Number.NaN;
}

export interface KnownExtension {
  name: string;
  isInstalled: boolean;
}

const extensions = prepared<{ names: readonly string[] }>(
  'extensions-of-server',
  ({ names }) => Prisma.sql`
  SELECT "name"::text AS "name", "installed_version" IS NOT NULL AS "isInstalled"
  FROM pg_available_extensions WHERE "name"::text = ANY(${names}::text[])`,
);

/** Those of these extensions that the server can install. */
export async function readExtensions(pool: Pool, names: readonly string[]): Promise<KnownExtension[]> {
  const { rows } = await pool.query<KnownExtension>(extensions({ names }));
  return rows;
}

export interface UnusableTable {
  name: string;
  owner: string;
  /** this user may read and write its rows */
  isUsable: boolean;
  /** this user may change it, as migrations do */
  isOwned: boolean;
}

const unusable = prepared<Record<string, never>>(
  'unusable-tables',
  () => Prisma.sql`
  SELECT * FROM (
    SELECT c.relname::text AS "name", pg_get_userbyid(c.relowner)::text AS "owner", pg_has_role(c.relowner, 'USAGE') AS "isOwned",
      has_table_privilege(c.oid, 'SELECT') AND has_table_privilege(c.oid, 'INSERT') AND has_table_privilege(c.oid, 'UPDATE')
        AND has_table_privilege(c.oid, 'DELETE') AS "isUsable"
    FROM pg_class c WHERE c.relnamespace = current_schema()::regnamespace AND c.relkind IN ('r', 'p')
      AND NOT EXISTS (SELECT FROM pg_depend d WHERE d.objid = c.oid AND d.deptype = 'e')) t
  WHERE NOT ("isUsable" AND "isOwned") ORDER BY "isUsable", "name" LIMIT 50`,
);

/** Tables of the installation that its user cannot use, or cannot change. */
export async function readUnusableTables(pool: Pool): Promise<UnusableTable[]> {
  const { rows } = await pool.query<UnusableTable>(unusable({}));
  return rows;
}

export interface Connections {
  /** that this user may have to this database, all processes together */
  allowed: number;
  /** what sets that limit */
  by: string;
  /** connections that are not to this database, within the same limit of the server */
  ofOthers: number;
}

const connections = prepared<Record<string, never>>(
  'connections-of-server',
  () => Prisma.sql`
  SELECT l."allowed", l."by",
    (SELECT count(*)::int FROM pg_stat_activity WHERE backend_type = 'client backend' AND datname <> current_database()) AS "ofOthers"
  FROM (
    SELECT current_setting('max_connections')::int - CASE WHEN r.rolsuper THEN 0 ELSE current_setting('superuser_reserved_connections')::int
      + coalesce(nullif(current_setting('reserved_connections', true), ''), '0')::int END AS "allowed", 'max_connections' AS "by"
    FROM pg_roles r WHERE r.rolname = current_user
    UNION ALL SELECT datconnlimit, 'the limit of the database' FROM pg_database WHERE datname = current_database() AND datconnlimit >= 0
    UNION ALL SELECT rolconnlimit, 'the limit of the user' FROM pg_roles WHERE rolname = current_user AND rolconnlimit >= 0
  ) l ORDER BY 1 LIMIT 1`,
);

export async function readConnections(pool: Pool): Promise<Connections> {
  const { rows } = await pool.query<Connections>(connections({}));
  return rows[0] ?? { allowed: Number.POSITIVE_INFINITY, by: 'nothing', ofOthers: 0 };
}

const age = prepared<Record<string, never>>(
  'age-of-database',
  () => Prisma.sql`
  SELECT greatest(age(datfrozenxid), mxid_age(datminmxid))::float8 / 2147483648 AS "share" FROM pg_database WHERE datname = current_database()`,
);

/** How much of the way to the wraparound of transaction ids has gone by, from 0 to 1. */
export async function readWraparound(pool: Pool): Promise<number> {
  const { rows } = await pool.query<{ share: number }>(age({}));
  return rows[0]?.share ?? 0;
}

export interface LongTransaction {
  /** the process of the server; null for a prepared transaction */
  pid: number | null;
  user: string;
  /** what it calls itself, or the name of a prepared transaction */
  application: string;
  client: string | null;
  state: string;
  seconds: number;
}

const transactions = prepared<{ seconds: number }>(
  'long-transactions',
  ({ seconds }) => Prisma.sql`
  SELECT pid AS "pid", coalesce(usename::text, '') AS "user", application_name AS "application", client_addr::text AS "client",
    coalesce(state, '') AS "state", extract(epoch FROM clock_timestamp() - xact_start)::float8 AS "seconds"
  FROM pg_stat_activity WHERE datname = current_database() AND backend_type = 'client backend' AND pid <> pg_backend_pid()
    AND xact_start < clock_timestamp() - ${seconds}::float8 * interval '1 second'
  UNION ALL
  SELECT NULL, owner::text, gid, NULL, 'prepared', extract(epoch FROM clock_timestamp() - prepared)::float8 FROM pg_prepared_xacts
  WHERE database = current_database() AND prepared < clock_timestamp() - ${seconds}::float8 * interval '1 second'
  ORDER BY 6 DESC LIMIT 20`,
);

/** Transactions that have been open for longer than this, the oldest first. Their statements may hold personal data, and are not read. */
export async function readLongTransactions(pool: Pool, seconds: number): Promise<LongTransaction[]> {
  const { rows } = await pool.query<LongTransaction>(transactions({ seconds }));
  return rows;
}

export interface BloatedTable {
  name: string;
  bytes: number;
  /** share of its pages that its rows do not need */
  share: number;
}

/** A row has a header of 24 bytes and a pointer of 4, and is aligned to 8; a page has 8,168 bytes for both. */
const bloat = prepared<{ share: number; bytes: number }>(
  'bloated-tables',
  ({ share, bytes }) => Prisma.sql`
  SELECT * FROM (
    SELECT c.relname::text AS "name", pg_relation_size(c.oid)::float8 AS "bytes",
      1 - least(1, ceil(c.reltuples * (28 + ceil(w.width / 8.0) * 8) / (8168 * f.fill)) / c.relpages) AS "share"
    FROM pg_class c
    CROSS JOIN LATERAL (
      SELECT sum((1 - s.null_frac) * s.avg_width) AS width FROM pg_stats s
      WHERE s.schemaname = c.relnamespace::regnamespace::text AND s.tablename = c.relname AND NOT s.inherited) w
    CROSS JOIN LATERAL (
      SELECT coalesce((SELECT o.option_value::float8 FROM pg_options_to_table(c.reloptions) o WHERE o.option_name = 'fillfactor'), 100) / 100 AS fill) f
    WHERE c.relkind = 'r' AND c.relnamespace = current_schema()::regnamespace AND c.reltuples >= 0 AND c.relpages > 0
      AND w.width IS NOT NULL AND pg_relation_size(c.oid) >= ${bytes}::float8) t
  WHERE "share" > ${share}::float8 AND "share" * "bytes" >= ${bytes}::float8 ORDER BY "share" * "bytes" DESC LIMIT 20`,
);

/** Tables in which more than `share` of the room, and at least `bytes`, is free, as the statistics of the planner say. */
export async function readBloat(
  pool: Pool,
  limits: { share: number; bytes: number },
): Promise<BloatedTable[]> {
  const { rows } = await pool.query<BloatedTable>(bloat(limits));
  return rows;
}

export interface UnvacuumedTable {
  name: string;
  deadRows: number;
  liveRows: number;
  lastVacuum: Date | null;
}

const unvacuumed = prepared<{ rows: number; hours: number }>(
  'unvacuumed-tables',
  ({ rows, hours }) => Prisma.sql`
  SELECT relname::text AS "name", n_dead_tup::float8 AS "deadRows", n_live_tup::float8 AS "liveRows",
    greatest(last_vacuum, last_autovacuum) AS "lastVacuum"
  FROM pg_stat_user_tables
  WHERE schemaname = current_schema() AND n_dead_tup >= ${rows}::float8 AND n_dead_tup > n_live_tup / 2
    AND coalesce(greatest(last_vacuum, last_autovacuum) < clock_timestamp() - ${hours}::float8 * interval '1 hour', true)
  ORDER BY n_dead_tup DESC LIMIT 20`,
);

/** Tables with at least `rows` dead rows, more than half of the living ones, that no vacuum has ended on for `hours`. */
export async function readUnvacuumed(
  pool: Pool,
  limits: { rows: number; hours: number },
): Promise<UnvacuumedTable[]> {
  const { rows } = await pool.query<UnvacuumedTable>(unvacuumed(limits));
  return rows;
}

export interface IdleSlot {
  name: string;
  /** bytes of WAL that are kept for it; null if that is not known */
  keptBytes: number | null;
}

const slots = prepared<Record<string, never>>(
  'idle-slots',
  () => Prisma.sql`
  SELECT slot_name::text AS "name",
    pg_wal_lsn_diff(CASE WHEN pg_is_in_recovery() THEN pg_last_wal_receive_lsn() ELSE pg_current_wal_lsn() END, restart_lsn)::float8 AS "keptBytes"
  FROM pg_replication_slots WHERE NOT active ORDER BY 2 DESC NULLS LAST LIMIT 20`,
);

/** Replication slots that nothing reads. */
export async function readIdleSlots(pool: Pool): Promise<IdleSlot[]> {
  const { rows } = await pool.query<IdleSlot>(slots({}));
  return rows;
}
