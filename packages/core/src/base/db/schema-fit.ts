import type { Client, Pool } from 'pg';
import type { Migration } from './migrations.ts';
import { compareVersions, isEarlierMinor, isMoreThanOneMinorBefore, minorOf } from './versions.rules.ts';

/** A version and a database that do not fit; the message says what to do. */
export class SchemaError extends Error {
  override name = 'SchemaError';
}

/** What a database says of the versions that use it. */
export interface StoredSchema {
  /** the latest version that migrated it; null before versions were written down */
  version: string | null;
  /** no version before it can use the database; null: every version can */
  minVersion: string | null;
}

type Queryable = Pick<Client | Pool, 'query'>;

/** Reads also a database whose tables are those of an earlier version. */
export async function readStoredSchema(client: Queryable): Promise<StoredSchema> {
  const { rows } = await client.query<{ exists: boolean }>(
    `SELECT to_regclass('"Installation"') IS NOT NULL AS "exists"`,
  );
  if (!rows[0]?.exists) return { version: null, minVersion: null };
  const stored = await client.query<{ row: Partial<StoredSchema> }>(
    'SELECT to_jsonb(i) AS "row" FROM "Installation" i WHERE i."id" = 1',
  );
  const { version = null, minVersion = null } = stored.rows[0]?.row ?? {};
  return { version, minVersion };
}

/** Why a version cannot use a database that later ones have changed; null if it can. */
export function misfitOf(own: string, { version, minVersion }: StoredSchema): string | null {
  const excludes = (since: string): string =>
    `This database was migrated by ${minorOf(since)}; ${minorOf(own)} cannot use it. Start ${minorOf(since)}, or restore a backup from before it.`;
  if (minVersion !== null && compareVersions(own, minVersion) < 0) return excludes(minVersion);
  return version !== null && isMoreThanOneMinorBefore(own, version) ? excludes(version) : null;
}

export interface PendingMigrations {
  /** what this version needs, in order */
  needed: Migration[];
  /** what follows while this version runs, in order */
  deferred: Migration[];
}

/**
 * Divides what a database does not have yet. Backfills and contractions that come with this version follow while it runs; those of an earlier one
 * have to be over before it begins.
 */
export function divide(pending: readonly Migration[], own: string, isNew: boolean): PendingMigrations {
  const isDeferred = ({ version }: Migration): boolean =>
    !isNew && version !== null && !isEarlierMinor(version, own);
  return { needed: pending.filter((one) => !isDeferred(one)), deferred: pending.filter(isDeferred) };
}

/** @throws SchemaError when an upgrade left a minor version out whose contraction this database does not have */
export function refuseSkipped(needed: readonly Migration[], own: string, { version }: StoredSchema): void {
  const skipped = needed.find(
    (one) =>
      one.kind === 'contract' && one.version !== null && isEarlierMinor(version ?? '0.0.0', one.version),
  );
  if (!skipped?.version) return;
  const minor = minorOf(skipped.version);
  throw new SchemaError(
    `This database was not used by ${minor} yet, which ${minorOf(own)} follows. Start ${minor} until it says that nothing is pending (npm run admin -- migrate --check), then ${minorOf(own)}.`,
  );
}

/**
 * Writes the schema of the database into its installation, within the transaction that changed it. A database without one, which is being
 * restored, is left as it is.
 */
export async function recordSchema(
  client: Queryable,
  migrations: readonly Migration[],
  own: string,
): Promise<void> {
  const { rows } = await client.query<{ exists: boolean }>(
    `SELECT EXISTS (SELECT FROM pg_attribute WHERE attrelid = to_regclass('"Installation"') AND attname = 'minVersion') AS "exists"`,
  );
  if (!rows[0]?.exists) return;
  const applied = await client.query<{ name: string }>('SELECT "name" FROM "_Migration" ORDER BY "name"');
  const names = new Set(applied.rows.map(({ name }) => name));
  const stored = await readStoredSchema(client);
  const contracted = migrations.flatMap(({ name, kind, version }) =>
    kind === 'contract' && version !== null && names.has(name) ? [version] : [],
  );
  await client.query(
    `UPDATE "Installation" SET "schema" = $1, "minVersion" = $2, "version" = $3
     WHERE "id" = 1 AND ("schema", "minVersion", "version") IS DISTINCT FROM ($1, $2, $3)`,
    [
      applied.rows.at(-1)?.name ?? null,
      latest([...contracted, stored.minVersion]),
      latest([own, stored.version]),
    ],
  );
}

const latest = (versions: readonly (string | null)[]): string | null =>
  versions
    .filter((version) => version !== null)
    .toSorted(compareVersions)
    .at(-1) ?? null;
