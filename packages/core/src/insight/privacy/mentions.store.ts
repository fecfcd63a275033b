import { type Db, Prisma } from '../../base/db/index.ts';
import type { Form, MentionPlace } from './places.rules.ts';
import type { Spellings } from './spellings.rules.ts';

/** What stands where an address was. */
export const erasedWord = '[erased]';

/** The last row of the page before, as texts of the columns that order rows; null at the beginning. */
export type After = readonly string[] | null;

export interface Visited {
  /** null at the end of the place */
  after: After;
  /** rows that were changed or removed */
  changed: number;
  /** rows that mention the address, and cannot be changed yet */
  left: number;
  /** rows that mention it and stay */
  kept: number;
}

export interface Sought {
  projectId: string;
  spellings: Spellings;
  /** what was stored later is not concerned */
  before: Date;
}

/** A name of the schema as SQL; never given from outside. */
const name = (text: string): Prisma.Sql => Prisma.raw(`"${text}"`);
const column = (row: string, text: string): Prisma.Sql => Prisma.raw(`${row}."${text}"`);
const list = (parts: readonly Prisma.Sql[]): Prisma.Sql => Prisma.join([...parts], ', ');

const isIn = (text: Prisma.Sql, pattern: string, { likes }: Spellings): Prisma.Sql =>
  Prisma.sql`(lower(${text}) LIKE ANY(${likes}::text[]) AND ${text} ~* ${pattern}::text)`;

/** Whether a column mentions the address. */
export function mentions(value: Prisma.Sql, form: Form, spellings: Spellings): Prisma.Sql {
  if (form === 'json' || form === 'plainJson')
    return isIn(Prisma.sql`${value}::text`, spellings.inJson, spellings);
  if (form === 'bytes') return isIn(Prisma.sql`encode(${value}, 'escape')`, spellings.inBytes, spellings);
  if (form === 'texts')
    return isIn(Prisma.sql`array_to_string(${value}, E'\n')`, spellings.inText, spellings);
  return isIn(value, spellings.inText, spellings);
}

/** The column without the address. */
export function without(value: Prisma.Sql, form: Form, { inText, inJson }: Spellings): Prisma.Sql {
  const replaced = (text: Prisma.Sql, pattern: string) =>
    Prisma.sql`regexp_replace(${text}, ${pattern}::text, ${erasedWord}::text, 'gi')`;
  if (form === 'json') return Prisma.sql`${replaced(Prisma.sql`${value}::text`, inJson)}::jsonb`;
  if (form === 'plainJson') return Prisma.sql`${replaced(Prisma.sql`${value}::text`, inJson)}::json`;
  if (form === 'texts')
    return Prisma.sql`CASE WHEN ${value} IS NOT NULL THEN ARRAY(
      SELECT ${replaced(Prisma.sql`x."text"`, inText)} FROM unnest(${value}) WITH ORDINALITY AS x("text", "n") ORDER BY x."n") END`;
  if (form === 'none') return Prisma.sql`CASE WHEN ${value} ~* ${inText}::text THEN NULL ELSE ${value} END`;
  return replaced(value, inText);
}

/** One page of the rows in an order of an index; those of `before` and earlier. */
function pageOf(place: MentionPlace, { projectId, before }: Sought, after: After): Prisma.Sql {
  const { of, order, time, only, overAll, page } = place;
  const table = name(of?.table ?? place.table);
  const ordered = order.map(({ column: each }) => column('t', each));
  const conditions = [
    overAll ? Prisma.sql`true` : Prisma.sql`t."projectId" = ${projectId}::uuid`,
    ...(only === undefined ? [] : [Prisma.raw(only)]),
    ...(time === undefined || overAll ? [] : [Prisma.sql`${column('t', time)} <= ${before}`]),
    ...(after === null
      ? []
      : [
          Prisma.sql`(${list(ordered)}) > (${list(
            order.map(({ type }, index) => Prisma.sql`${after[index]}::text::${Prisma.raw(type)}`),
          )})`,
        ]),
  ];
  const columns = [...new Set([...order.map((each) => each.column), ...(of ? ['id'] : place.key)])];
  return Prisma.sql`
    SELECT ${list(columns.map((each) => column('t', each)))} FROM ${table} t
    WHERE ${Prisma.join(conditions, ' AND ')} ORDER BY ${list(ordered)} LIMIT ${page}::int`;
}

/** The rows of a page that mention the address, locked in the order of their keys where they are to be changed. */
function hitsOf(place: MentionPlace, { projectId, spellings, before }: Sought): Prisma.Sql {
  const { table, of, key, columns, time, overAll, treatment } = place;
  const sameRow = of
    ? Prisma.sql`${column('t', of.column)} = p."id"`
    : Prisma.join(
        key.map((each) => Prisma.sql`${column('t', each)} = ${column('p', each)}`),
        ' AND ',
      );
  const found = Object.entries(columns).map(([each, form]) => mentions(column('t', each), form, spellings));
  const isEarlier =
    time !== undefined && overAll ? Prisma.sql`AND ${column('t', time)} <= ${before}` : Prisma.empty;
  const locks = treatment === 'replace' || treatment === 'delete';
  return Prisma.sql`
    SELECT ${list(key.map((each) => column('t', each)))} FROM "page" p JOIN ${name(table)} t ON ${sameRow}
    WHERE t."projectId" = ${projectId}::uuid ${isEarlier} AND (${Prisma.join(found, ' OR ')})
    ${locks ? Prisma.sql`ORDER BY ${list(key.map((each) => column('t', each)))} FOR UPDATE OF t` : Prisma.empty}`;
}

function changeOf(
  { table, key, columns, treatment }: MentionPlace,
  { projectId, spellings }: Sought,
): Prisma.Sql {
  const isHit = Prisma.sql`t."projectId" = ${projectId}::uuid AND ${Prisma.join(
    key.map((each) => Prisma.sql`${column('t', each)} = ${column('h', each)}`),
    ' AND ',
  )}`;
  if (treatment === 'delete')
    return Prisma.sql`DELETE FROM ${name(table)} t USING "hits" h WHERE ${isHit} RETURNING 1`;
  const changes = Object.entries(columns).map(
    ([each, form]) => Prisma.sql`${name(each)} = ${without(column('t', each), form, spellings)}`,
  );
  return Prisma.sql`UPDATE ${name(table)} t SET ${list(changes)} FROM "hits" h WHERE ${isHit} RETURNING 1`;
}

/** Looks through one page of a place, and treats the rows that mention the address. In a transaction. */
export async function visitMentions(
  db: Db,
  place: MentionPlace,
  sought: Sought,
  after: After,
): Promise<Visited> {
  const { order, treatment, page } = place;
  const isChanged = treatment === 'replace' || treatment === 'delete';
  const last = order.map(({ column: each }) => Prisma.sql`p.${name(each)}::text`);
  const [row] = await db.$queryRaw<{ seen: number; hits: number; last: string[] | null }[]>`
    WITH "page" AS MATERIALIZED (${pageOf(place, sought, after)}),
    "hits" AS MATERIALIZED (${hitsOf(place, sought)})
    ${isChanged ? Prisma.sql`, "changed" AS (${changeOf(place, sought)})` : Prisma.empty}
    SELECT (SELECT count(*) FROM "page")::int AS "seen",
      (SELECT count(*) FROM ${isChanged ? Prisma.sql`"changed"` : Prisma.sql`"hits"`})::int AS "hits",
      (SELECT ARRAY[${list(last)}] FROM "page" p ORDER BY ${list(
        order.map(({ column: each }) => Prisma.sql`p.${name(each)} DESC`),
      )} LIMIT 1) AS "last"`;
  const { seen = 0, hits = 0, last: lastSeen = null } = row ?? {};
  return {
    after: seen < page ? null : lastSeen,
    changed: isChanged ? hits : 0,
    left: treatment === 'wait' ? hits : 0,
    kept: treatment === 'keep' ? hits : 0,
  };
}
