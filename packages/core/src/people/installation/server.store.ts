import { type Database, tryReplication } from '../../base/db/index.ts';
import { notInstalled, type Snapshot } from './snapshot.store.ts';

/** What a copy of the server's files depends on. */
export interface ServerFacts {
  /** such as 18 */
  version: number;
  /** of the installation, on this server */
  database: string;
  /** the user of the installation */
  role: string;
  /** a user with all rights that can log in */
  superuser: string;
  mayReplicate: boolean;
  walLevel: string;
  walSenders: number;
  /** but those that every server has */
  tablespaces: string[];
}

export async function readServer({ durable }: Database): Promise<ServerFacts> {
  const { rows } = await durable.query<ServerFacts>(
    `SELECT current_setting('server_version_num')::int / 10000 AS "version", current_database()::text AS "database", current_user::text AS "role",
       coalesce((SELECT rolname FROM pg_roles WHERE rolsuper AND rolcanlogin ORDER BY oid LIMIT 1), current_user)::text AS "superuser",
       (SELECT rolsuper OR rolreplication FROM pg_roles WHERE rolname = current_user) AS "mayReplicate",
       current_setting('wal_level') AS "walLevel", current_setting('max_wal_senders')::int AS "walSenders",
       (SELECT coalesce(array_agg(spcname::text ORDER BY spcname), '{}') FROM pg_tablespace WHERE spcname NOT IN ('pg_default', 'pg_global')) AS "tablespaces"`,
  );
  const [facts] = rows;
  if (!facts) throw new Error('the server was not looked at');
  return facts;
}

/** Why the server of a database lets nobody copy it with this user; null if it does. */
export async function refusalOfCopy(
  { role, mayReplicate, walLevel, walSenders, tablespaces }: ServerFacts,
  url: string,
): Promise<string | null> {
  if (!mayReplicate)
    return `the user ${role} may not copy the server: as a superuser, ALTER ROLE "${role}" REPLICATION`;
  if (walLevel === 'minimal')
    return 'the server writes too little WAL for a copy: set wal_level to replica, and restart it';
  if (walSenders < 2)
    return `the server lets ${walSenders} programs read its WAL, and a copy needs 2: raise max_wal_senders, and restart it`;
  if (tablespaces.length > 0)
    return `the server has tablespaces, which a copy leaves out (${tablespaces.join(', ')}): move what is in them to pg_default, and drop them`;
  try {
    await tryReplication(url);
    return null;
  } catch (error) {
    return `the server refused a connection for replication (${(error as Error).message}): pg_hba.conf needs a line such as "host replication ${role} <address of this machine>/32 scram-sha-256", and max_wal_senders a free place`;
  }
}

/** A moment, and how far WAL was written then: what was committed before it lies before that place. */
export interface WalMoment {
  at: Date;
  lsn: string;
}

export async function readWalMoment({ durable }: Database): Promise<WalMoment> {
  // The clock is read first.
  const { rows } = await durable.query<WalMoment>(
    'SELECT clock_timestamp() AS "at", pg_current_wal_insert_lsn()::text AS "lsn"',
  );
  const [moment] = rows;
  if (!moment) throw new Error('the place in the WAL was not read');
  return moment;
}

/** How a server treats those who stream its WAL. */
export interface StreamingSettings {
  /** of WAL, for a slot that nobody reads; -1: all of it */
  slotKeepsMb: number;
  standbyNames: string;
  synchronousCommit: string;
}

export async function readStreaming({ durable }: Database): Promise<StreamingSettings> {
  const { rows } = await durable.query<StreamingSettings>(
    `SELECT (SELECT setting::int FROM pg_settings WHERE name = 'max_slot_wal_keep_size') AS "slotKeepsMb",
       current_setting('synchronous_standby_names') AS "standbyNames", current_setting('synchronous_commit') AS "synchronousCommit"`,
  );
  const [settings] = rows;
  if (!settings) throw new Error('the settings were not read');
  return settings;
}

/** Has the server keep WAL from now on until the reader of this slot has it. A slot whose WAL is gone is of no use, and begins anew. */
export async function reserveWal({ durable }: Database, slot: string): Promise<void> {
  await durable.query(
    `SELECT pg_drop_replication_slot(slot_name) FROM pg_replication_slots WHERE slot_name = $1 AND wal_status = 'lost' AND NOT active`,
    [slot],
  );
  await durable.query(
    `SELECT pg_create_physical_replication_slot($1, true) WHERE NOT EXISTS (SELECT FROM pg_replication_slots WHERE slot_name = $1)`,
    [slot],
  );
}

export async function readSystemId({ durable }: Database): Promise<string> {
  const { rows } = await durable.query<{ id: string }>(
    `SELECT "system_identifier"::text AS "id" FROM pg_control_system()`,
  );
  return rows[0]?.id ?? '';
}

/** What identifies the installation and its server. */
export interface InstalledState extends Pick<Snapshot, 'epoch' | 'schema'> {
  /** a number of 64 bits, which copies and standbys have as well */
  systemId: string;
}

export async function readInstalledState({ durable }: Database): Promise<InstalledState> {
  const { rows } = await durable.query<InstalledState>(
    `SELECT (SELECT "epoch" FROM "Installation" WHERE "id" = 1) AS "epoch", (SELECT max("name") FROM "_Migration") AS "schema",
       (SELECT "system_identifier"::text FROM pg_control_system()) AS "systemId"`,
  );
  const [state] = rows;
  if (!state || state.epoch === null) throw new Error(notInstalled);
  return state;
}

/** A server of a copy has replayed its WAL, and takes writes. */
export interface Recovery {
  isOver: boolean;
  now: Date;
  /** the time of the last transaction that it replayed; null if there was none */
  lastCommit: Date | null;
}

export async function readRecovery({ durable }: Database): Promise<Recovery> {
  const { rows } = await durable.query<Recovery>(
    `SELECT NOT pg_is_in_recovery() AS "isOver", clock_timestamp() AS "now", pg_last_xact_replay_timestamp() AS "lastCommit"`,
  );
  const [recovery] = rows;
  if (!recovery) throw new Error('the server was not looked at');
  return recovery;
}
