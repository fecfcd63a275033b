import { constant, type Database, Prisma, prepared } from '../../base/db/index.ts';
import type { CipherColumn } from '../../base/kernel/index.ts';

export interface StoredCipher {
  id: string;
  cipher: string;
}

/** The names come from the fixed list of ciphertext columns. */
const placeOf = (column: CipherColumn): { table: Prisma.Sql; name: Prisma.Sql } => {
  const [table, name] = column.split('.');
  return { table: constant(`"${table}"`), name: constant(`"${name}"`) };
};

function readOf(column: CipherColumn) {
  const { table, name } = placeOf(column);
  return prepared<{ after: string | null; limit: number }>(
    `read-ciphers-${column}`,
    ({ after, limit }) => Prisma.sql`
      SELECT "id", ${name} AS "cipher" FROM ${table}
      WHERE ${name} IS NOT NULL AND (${after}::uuid IS NULL OR "id" > ${after}) ORDER BY "id" LIMIT ${limit}`,
  );
}

function replaceOf(column: CipherColumn) {
  const { table, name } = placeOf(column);
  return prepared<{ ids: string[]; old: string[]; next: string[] }>(
    `replace-ciphers-${column}`,
    ({ ids, old, next }) => Prisma.sql`
      UPDATE ${table} t SET ${name} = c."next"
      FROM unnest(${ids}::uuid[], ${old}::text[], ${next}::text[]) AS c("id", "old", "next")
      WHERE t."id" = c."id" AND t.${name} = c."old"`,
  );
}

/** One keyset page of the ciphertexts of a column. */
export async function readCiphers(
  { durable }: Database,
  column: CipherColumn,
  after: string | null,
  limit: number,
): Promise<StoredCipher[]> {
  const { rows } = await durable.query<StoredCipher>(readOf(column)({ after, limit }));
  return rows;
}

export interface CipherCount {
  /** that of the secret that made them */
  id: string;
  ciphers: number;
}

/** How many ciphertexts of a column each secret has made. */
export async function countCiphers({ durable }: Database, column: CipherColumn): Promise<CipherCount[]> {
  const [table, name] = column.split('.');
  const { rows } = await durable.query<CipherCount>(
    `SELECT left("${name}", 4) AS "id", count(*)::float8 AS "ciphers" FROM "${table}" WHERE "${name}" IS NOT NULL GROUP BY 1 ORDER BY 1`,
  );
  return rows;
}

/** Opt-outs of contacts that are gone, which only their keyed hashes find. */
export async function countOptOuts({ durable }: Database): Promise<number> {
  const { rows } = await durable.query<{ count: number }>('SELECT count(*)::float8 AS "count" FROM "OptOut"');
  return rows[0]?.count ?? 0;
}

/** Replaces ciphertexts that have not changed since they were read. @returns how many */
export async function replaceCiphers(
  { durable }: Database,
  column: CipherColumn,
  changes: readonly (StoredCipher & { next: string })[],
): Promise<number> {
  const { rowCount } = await durable.query(
    replaceOf(column)({
      ids: changes.map(({ id }) => id),
      old: changes.map(({ cipher }) => cipher),
      next: changes.map(({ next }) => next),
    }),
  );
  return rowCount ?? 0;
}
