/** A table whose rows lie in slices: partitions by range of their ids, which are ordered by time. */
export interface SlicedTable {
  name: 'Event' | 'WebhookDelivery';
  /** Processes that know this migration name a row by its id. Older ones may remove rows by `ctid`, which rows of several slices have. */
  since: string;
  /** The last slice is cut above either. */
  mostRows: number;
  mostBytes: number;
  /** For a table whose rows are kept for some weeks only: its last slice is also cut above this many rows, once its ids span this many days. */
  regular: { rows: number; days: number } | null;
  /**
   * A slice that will be dropped whole within so many days is not swept, so that the drop saves the work of removing its rows. They stay for at most
   * this much longer.
   */
  sharedDays: number;
  /** storage parameters of each slice; a migration that creates the first one repeats them */
  settings: Readonly<Record<string, number>>;
}

/**
 * When autovacuum works on a slice, in rows: a share of a table of millions that only grows would be more and more of them.
 */
const growingSettings = {
  autovacuum_analyze_scale_factor: 0,
  autovacuum_analyze_threshold: 10_000,
  autovacuum_vacuum_scale_factor: 0,
  autovacuum_vacuum_threshold: 200_000,
  autovacuum_vacuum_insert_scale_factor: 0,
  autovacuum_vacuum_insert_threshold: 500_000,
} as const;

const most = { mostRows: 20_000_000, mostBytes: 16 * 1_073_741_824 };

export const slicedTables: readonly SlicedTable[] = [
  {
    ...{ name: 'Event', since: '20261212100000', ...most, regular: null },
    ...{ sharedDays: 30, settings: growingSettings },
  },
  // A queue, whose rows change twice within seconds: it is vacuumed and analysed by shares, as PostgreSQL does by itself.
  {
    ...{ name: 'WebhookDelivery', since: '20261213100000', ...most, regular: { rows: 1_000_000, days: 7 } },
    ...{ sharedDays: 7, settings: {} },
  },
];

export function slicedTable(name: SlicedTable['name']): SlicedTable {
  const table = slicedTables.find((each) => each.name === name);
  if (!table) throw new Error(`${name} has no slices`);
  return table;
}

/** How many days webhook deliveries are kept after they were queued (behaviour B8.5). */
export const deliveryDays = 30;

/** For how many days rows of a table are kept; undefined: for ever. */
export const keptDays = (
  name: SlicedTable['name'],
  { EVENT_DAYS }: { EVENT_DAYS?: number | undefined },
): number | undefined => ({ Event: EVENT_DAYS, WebhookDelivery: deliveryDays })[name];

/** Until this many changed rows a growing slice is analysed for the first time; from then on this many lie between two. */
export const firstAnalysisRows = growingSettings.autovacuum_analyze_threshold;
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

export const dayMs = 86_400_000;

/** Rows from before this time are kept no longer. */
export const limitOf = (days: number, now: Date): Date => new Date(now.getTime() - days * dayMs);

/** The longest that a row stays in a slice which is dropped whole, by the next daily run; null: for ever. */
export function longestKeptMs(
  name: SlicedTable['name'],
  config: Parameters<typeof keptDays>[1],
): number | null {
  const days = keptDays(name, config);
  return days === undefined ? null : (days + slicedTable(name).sharedDays + 1) * dayMs;
}
