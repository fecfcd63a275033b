import type { Pool } from 'pg';
import { Prisma, prepared } from '../../base/db/index.ts';

export interface SliceState {
  table: string;
  slices: number;
  /** of the last one, as of its last analysis or vacuum */
  rows: number;
  /** of the last one, with its indexes */
  bytes: number;
}

const states = prepared<{ tables: readonly string[] }>(
  'metrics-of-slices',
  ({ tables }) => Prisma.sql`
SELECT t."table", count(*)::int AS "slices",
  coalesce(max(greatest(c.reltuples, 0)) FILTER (WHERE l."isLast"), 0)::float8 AS "rows",
  coalesce(max(pg_total_relation_size(c.oid)) FILTER (WHERE l."isLast"), 0)::float8 AS "bytes"
FROM unnest(${tables}::text[]) AS t("table") JOIN pg_inherits i ON i.inhparent = to_regclass(quote_ident(t."table"))
JOIN pg_class c ON c.oid = i.inhrelid CROSS JOIN LATERAL (SELECT pg_get_expr(c.relpartbound, c.oid) LIKE '%TO (MAXVALUE)' AS "isLast") l GROUP BY 1`,
);

export async function readSliceStates(pool: Pool, tables: readonly string[]): Promise<SliceState[]> {
  const { rows } = await pool.query<SliceState>(states({ tables }));
  return rows;
}
