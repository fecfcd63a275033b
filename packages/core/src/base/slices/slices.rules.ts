/** A table whose rows lie in slices: partitions by range of their ids, which are ordered by time. */
export interface SlicedTable {
  name: 'Event';
  /** The last slice is cut above either. */
  mostRows: number;
  mostBytes: number;
}

export const slicedTables: readonly SlicedTable[] = [
  { name: 'Event', mostRows: 20_000_000, mostBytes: 16 * 1_073_741_824 },
];

/**
 * When autovacuum works on a slice, in rows: a share of a table would be more and more of them. Migrations that create the first slice of a table
 * repeat these.
 */
export const sliceSettings = {
  autovacuum_analyze_scale_factor: 0,
  autovacuum_analyze_threshold: 10_000,
  autovacuum_vacuum_scale_factor: 0,
  autovacuum_vacuum_threshold: 200_000,
  autovacuum_vacuum_insert_scale_factor: 0,
  autovacuum_vacuum_insert_threshold: 500_000,
} as const;

/** The first analysis of a slice comes early; from then on this many changed rows lie between two. */
export const laterAnalysisRows = 50_000;

/** A cut begins this long before its boundary, so that a clock which is ahead makes no id beyond it. */
export const aheadMs = 3_600_000;
/** A cut that has not happened this long before its boundary is given up, and begins again with a later one. */
export const giveUpMs = 600_000;
/** What is left of it after a process was killed is removed by any other one. */
export const rescueMs = giveUpMs / 2;

/** Ids of a slice: from `from` (null: all below) to before `to` (null: all above). */
export interface Bounds {
  from: string | null;
  to: string | null;
}

const boundPattern = /^FOR VALUES FROM \((MINVALUE|'([0-9a-f-]{36})')\) TO \((MAXVALUE|'([0-9a-f-]{36})')\)$/;

/** Reads what PostgreSQL says of a partition. @throws Error for another kind of bound */
export function boundsOf(text: string): Bounds {
  const found = boundPattern.exec(text);
  if (!found) throw new Error(`not the bounds of a slice: ${text}`);
  return { from: found[2] ?? null, to: found[4] ?? null };
}

export const byBounds = (one: Bounds, other: Bounds): number =>
  (one.from ?? '') < (other.from ?? '') ? -1 : 1;

/** The name of the next slice of a table, given those that exist. */
export function nextName(table: string, names: readonly string[]): string {
  const numbers = names.map((name) => Number(/_(\d+)$/.exec(name)?.[1] ?? 0));
  return `${table}_${Math.max(0, ...numbers) + 1}`;
}

const dayMs = 86_400_000;

/** Rows from before this time are kept no longer. */
export const limitOf = (days: number, now: Date): Date => new Date(now.getTime() - days * dayMs);
