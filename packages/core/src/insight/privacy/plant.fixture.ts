import type { Services } from '../../base/kernel/index.ts';

interface Column {
  name: string;
  type: string;
  /** of an array or an enum */
  udt: string;
  isNullable: boolean;
  hasDefault: boolean;
}

async function columnsOf({ database }: Services, table: string): Promise<Column[]> {
  const { rows } = await database.durable.query<Column>(
    `SELECT column_name AS "name", data_type AS "type", udt_name AS "udt", is_nullable = 'YES' AS "isNullable",
       column_default IS NOT NULL AS "hasDefault"
     FROM information_schema.columns
     WHERE table_schema = current_schema() AND table_name = $1 AND is_generated = 'NEVER' ORDER BY ordinal_position`,
    [table],
  );
  return rows;
}

/** A value of a type for a column that needs one. */
function filler({ type, udt }: Column): string {
  if (type === 'uuid') return 'gen_random_uuid()';
  if (type.startsWith('timestamp')) return `now() - interval '1 hour'`;
  if (type === 'date') return 'current_date';
  if (type === 'jsonb' || type === 'json') return `'{}'::${type}`;
  if (type === 'boolean') return 'false';
  if (type === 'bytea') return "decode(md5(random()::text), 'hex')";
  if (type === 'ARRAY') return `'{}'::${udt.slice(1)}[]`;
  if (type === 'USER-DEFINED') return `(enum_range(NULL::"${udt}"))[1]`;
  if (/int|numeric|double|real/.test(type)) return '0';
  return 'gen_random_uuid()::text';
}

/** A text in a column of this type, as SQL. */
export function textAs({ type, udt }: Pick<Column, 'type' | 'udt'>, text: string): string {
  const quoted = `'${text.replaceAll("'", "''")}'`;
  if (type === 'jsonb' || type === 'json')
    return `json_build_object('note', ${quoted}::text, 'inner', json_build_array(1, json_build_object('x', ${quoted}::text)))::${type}`;
  if (type === 'bytea') return `convert_to(${quoted}, 'UTF8')`;
  return type === 'ARRAY' && udt === '_text' ? `ARRAY['first', ${quoted}, 'last']` : quoted;
}

/**
 * Inserts a row into any table, without its triggers and references, as a test can need it that plants a text in every column.
 *
 * @param given SQL by column; every other column that needs a value gets some value of its type
 * @param planted columns that get `text`, in the form of their type
 */
export async function plantRow(
  services: Services,
  table: string,
  given: Readonly<Record<string, string>>,
  { columns = [], text = '' }: { columns?: readonly string[]; text?: string } = {},
): Promise<void> {
  const values = new Map<string, string>();
  for (const column of await columnsOf(services, table)) {
    const own = given[column.name];
    if (own !== undefined) values.set(column.name, own);
    else if (columns.includes(column.name)) values.set(column.name, textAs(column, text));
    else if (!column.isNullable && !column.hasDefault) values.set(column.name, filler(column));
  }
  const names = [...values.keys()].map((name) => `"${name}"`).join(', ');
  await services.database.prisma.$transaction(async (db) => {
    await db.$executeRawUnsafe('SET LOCAL session_replication_role = replica');
    await db.$executeRawUnsafe(
      `INSERT INTO "${table}" (${names}) VALUES (${[...values.values()].join(', ')})`,
    );
  });
}

/** Every column of every table with a row that has this text in any form. */
export async function placesWith({ database }: Services, text: string): Promise<string[]> {
  const { rows } = await database.durable.query<{ table: string; name: string; type: string }>(
    `SELECT c.table_name AS "table", c.column_name AS "name", c.data_type AS "type" FROM information_schema.columns c
     JOIN pg_class t ON t.relname = c.table_name AND t.relnamespace = current_schema()::regnamespace
     WHERE c.table_schema = current_schema() AND NOT t.relispartition AND t.relkind IN ('r', 'p')
       AND (c.data_type IN ('text', 'json', 'jsonb', 'bytea', 'uuid') OR c.udt_name IN ('_text', '_uuid'))`,
  );
  const found: string[] = [];
  for (const { table, name, type } of rows) {
    const value = type === 'bytea' ? `encode("${name}", 'escape')` : `"${name}"::text`;
    const { rowCount } = await database.durable.query(
      `SELECT 1 FROM "${table}" WHERE strpos(lower(${value}), lower($1)) > 0 LIMIT 1`,
      [text],
    );
    if (rowCount) found.push(`${table}.${name}`);
  }
  return found.toSorted();
}
