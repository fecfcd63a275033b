import pg, { type Pool } from 'pg';

export interface PlanNode {
  'Node Type': string;
  'Relation Name'?: string;
  'Index Name'?: string;
  'Plan Rows'?: number;
  'Actual Loops'?: number;
  Plans?: PlanNode[];
}

export const nodesOf = (node: PlanNode): PlanNode[] => [node, ...(node.Plans ?? []).flatMap(nodesOf)];

/** How a slice was read: `Index Scan_due` is one by the index of that name of any slice. */
export const readOf = (table: string, node: PlanNode): string =>
  `${node['Node Type']}${node['Index Name']?.replace(new RegExp(`^${table}_\\d+`), '') ?? ''}`;

const changes = new Set(['ModifyTable', 'LockRows', 'Update', 'Delete']);

const literal = (value: unknown): string => {
  if (value === null) return 'NULL';
  if (typeof value === 'number') return String(value);
  if (Array.isArray(value)) return pg.escapeLiteral(`{${value.map((each) => `"${each}"`).join(',')}}`);
  return pg.escapeLiteral(value instanceof Date ? value.toISOString() : String(value));
};

/**
 * Which slices of a table a statement reads, and how, as a prepared one with either kind of plan. The statement runs, and what it changes is undone.
 */
export async function readsOfSlices(
  pool: Pool,
  table: string,
  { text, values = [] }: { text: string; values?: unknown[] },
  plans: 'force_generic_plan' | 'force_custom_plan',
): Promise<{ slices: string[]; reads: string[] }> {
  const client = await pool.connect();
  try {
    await client.query('BEGIN');
    await client.query(`SET LOCAL plan_cache_mode = ${plans}`);
    await client.query(`PREPARE examined AS ${text}`);
    const given = values.length === 0 ? '' : `(${values.map(literal).join(', ')})`;
    const { rows } = await client.query<{ 'QUERY PLAN': { Plan: PlanNode }[] }>(
      `EXPLAIN (ANALYZE, TIMING OFF, FORMAT JSON) EXECUTE examined${given}`,
    );
    const root = rows[0]?.['QUERY PLAN'][0]?.Plan;
    const read = (root ? nodesOf(root) : []).filter(
      (node) =>
        node['Relation Name']?.startsWith(`${table}_`) &&
        (node['Actual Loops'] ?? 0) > 0 &&
        !changes.has(node['Node Type']),
    );
    const sorted = (all: (string | undefined)[]) =>
      [...new Set(all)].filter((each) => each !== undefined).sort();
    return {
      slices: sorted(read.map((node) => node['Relation Name'])),
      reads: sorted(read.map((node) => readOf(table, node))),
    };
  } finally {
    await client.query('ROLLBACK');
    await client.query('DEALLOCATE ALL');
    client.release();
  }
}
