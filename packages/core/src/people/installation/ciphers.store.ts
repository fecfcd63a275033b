import type { Database } from '../../base/db/index.ts';
import type { CipherColumn } from '../../base/kernel/index.ts';

export interface StoredCipher {
  id: string;
  cipher: string;
}

/** The names come from the fixed list of ciphertext columns. */
const placeOf = (column: CipherColumn): { table: string; name: string } => {
  const [table, name] = column.split('.');
  return { table: `"${table}"`, name: `"${name}"` };
};

/** One keyset page of the ciphertexts of a column. */
export async function readCiphers(
  { pool }: Database,
  column: CipherColumn,
  after: string | null,
  limit: number,
): Promise<StoredCipher[]> {
  const { table, name } = placeOf(column);
  const { rows } = await pool.query<StoredCipher>(
    `SELECT "id", ${name} AS "cipher" FROM ${table}
     WHERE ${name} IS NOT NULL AND ($1::uuid IS NULL OR "id" > $1) ORDER BY "id" LIMIT $2`,
    [after, limit],
  );
  return rows;
}

/** Replaces ciphertexts that have not changed since they were read. @returns how many */
export async function replaceCiphers(
  { pool }: Database,
  column: CipherColumn,
  changes: readonly (StoredCipher & { next: string })[],
): Promise<number> {
  const { table, name } = placeOf(column);
  const { rowCount } = await pool.query(
    `UPDATE ${table} t SET ${name} = c."next"
     FROM unnest($1::uuid[], $2::text[], $3::text[]) AS c("id", "old", "next")
     WHERE t."id" = c."id" AND t.${name} = c."old"`,
    [changes.map(({ id }) => id), changes.map(({ cipher }) => cipher), changes.map(({ next }) => next)],
  );
  return rowCount ?? 0;
}
