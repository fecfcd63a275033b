import { type Db, Prisma } from '../../../base/db/index.ts';
import { figuresOf, type WantedFigures } from '../../../base/figures/index.ts';
import { contactSample } from '../contact-sample.store.ts';
import type { Primitive } from '../contacts.rules.ts';
import { type FieldSummary, summarizeFields, type TypeCount } from './fields.rules.ts';

const prefix = 'contacts';

const policy = {
  prefix,
  maxAgeSeconds: 300,
  async hasMoreThan(db: Db, projectId: string, rows: number): Promise<boolean> {
    const [row] = await db.$queryRaw<{ large: boolean }[]>`
      SELECT count(*) > ${rows}::int AS "large" FROM (
        SELECT FROM "Contact" WHERE "projectId" = ${projectId}::uuid LIMIT ${rows + 1}::int) AS c`;
    return row?.large ?? false;
  },
};

/** Above 20,000 contacts, fields and their values are estimated first: taking the data of 100,000 apart takes too long (decision 033, behaviour B4.5). */
const estimated = figuresOf({ ...policy, largeAbove: 20_000 });
/** Above 100,000 contacts, the number with a field may be five minutes old. */
const counted = figuresOf({ ...policy, largeAbove: 100_000 });

/** In a large project, an estimate from a sample of contacts comes first, with the fields that were known before. */
export const readFields = (db: Db, projectId: string): Promise<FieldSummary[]> =>
  estimated(
    db,
    projectId,
    'fields',
    () => countFields(db, projectId),
    async (last) => {
      const counts = await countTypes(db, Prisma.sql`MATERIALIZED (${contactSample(projectId)})`);
      return withKnown(stored(summarizeFields(counts, counts[0]?.total ?? 0)), last ?? []);
    },
  );

type StoredSummary = FieldSummary & Prisma.InputJsonObject;
const stored = (fields: FieldSummary[]): StoredSummary[] => fields as StoredSummary[];

/** Fields that few contacts have may be missing in a sample. */
const withKnown = (found: StoredSummary[], known: readonly StoredSummary[]): StoredSummary[] => {
  const names = new Set(found.map(({ field }) => field));
  const missing = known.filter(({ field }) => !names.has(field));
  return [...found, ...missing].toSorted((a, b) => (a.field < b.field ? -1 : 1));
};

async function countFields(db: Db, projectId: string): Promise<StoredSummary[]> {
  const counts = await countTypes(db, Prisma.sql`NOT MATERIALIZED (${allContacts(projectId)})`);
  return stored(summarizeFields(counts, counts[0]?.total ?? 0));
}

const allContacts = (projectId: string): Prisma.Sql =>
  Prisma.sql`SELECT * FROM "Contact" WHERE "projectId" = ${projectId}::uuid`;

/** A date is a string `YYYY-MM-DD`, alone or with a time. */
const datePattern =
  '^[0-9]{4}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])([T ][0-9]{2}:[0-9]{2}(:[0-9]{2}([.][0-9]+)?)?(Z|[+-][0-9]{2}:?[0-9]{2})?)?$';

/**
 * The types of the values of each key, with the number of contacts. Most strings begin with a letter, which saves the test for a date.
 *
 * @param contacts the query of the contacts in parentheses, and whether its rows are kept, which parallel workers cannot share
 */
const countTypes = (db: Db, contacts: Prisma.Sql): Promise<(TypeCount & { total: number })[]> => db.$queryRaw`
  WITH "counted" AS ${contacts}
  SELECT e."key", CASE jsonb_typeof(e."value")
      WHEN 'boolean' THEN 'boolean' WHEN 'number' THEN 'number' WHEN 'array' THEN 'list'
      ELSE CASE WHEN e."value" #>> '{}' < ':' COLLATE "C" AND e."value" #>> '{}' ~ ${datePattern} THEN 'date' ELSE 'string' END END AS "type",
    count(*)::int AS "count", (SELECT count(*)::int FROM "counted") AS "total"
  FROM "counted" c CROSS JOIN LATERAL jsonb_each(c."data") e GROUP BY 1, 2`;

/** Distinct values of a custom field: booleans, numbers, then strings by code point. In a large project estimated at first, like fields. */
export const readFieldValues = (
  db: Db,
  projectId: string,
  key: string,
  limit: number,
): Promise<Primitive[]> =>
  estimated(
    db,
    projectId,
    `values.${limit}.${key}`,
    () => distinctValues(db, allContacts(projectId), key, limit),
    (last) => distinctValues(db, contactSample(projectId), key, limit, last ?? []),
  );

/** @param known values besides those of the contacts */
async function distinctValues(
  db: Db,
  contacts: Prisma.Sql,
  key: string,
  limit: number,
  known: readonly Primitive[] = [],
): Promise<Primitive[]> {
  const rows = await db.$queryRaw<{ value: Primitive }[]>`
    SELECT v."value" FROM (
      SELECT i."value" FROM (${contacts}) c CROSS JOIN LATERAL jsonb_array_elements(
        CASE jsonb_typeof(c."data" -> ${key}::text) WHEN 'array' THEN c."data" -> ${key}::text
          ELSE jsonb_build_array(c."data" -> ${key}::text) END) i
      WHERE jsonb_exists(c."data", ${key}::text) GROUP BY 1
      UNION SELECT "value" FROM jsonb_array_elements(${JSON.stringify(known)}::jsonb)
    ) v
    ORDER BY CASE jsonb_typeof(v."value") WHEN 'boolean' THEN 0 WHEN 'number' THEN 1 ELSE 2 END,
      CASE WHEN jsonb_typeof(v."value") = 'number' THEN (v."value" #>> '{}')::numeric END,
      v."value" #>> '{}' COLLATE "C"
    LIMIT ${limit}::int`;
  return rows.map(({ value }) => value);
}

/** Computes what was estimated. */
export const wantedFieldFigures: WantedFigures = {
  prefix,
  compute(db, projectId, key) {
    const [, limit, field = ''] = /^values\.(\d+)\.(.*)$/s.exec(key) ?? [];
    return limit === undefined
      ? countFields(db, projectId)
      : distinctValues(db, allContacts(projectId), field, Number(limit));
  },
};

/** The number of contacts that have a custom field, or of all contacts without a key. */
export const countContactsWith = (db: Db, projectId: string, key: string | null): Promise<number> =>
  counted(db, projectId, key === null ? 'all' : `having.${key}`, async () => {
    const having = key === null ? Prisma.empty : Prisma.sql`AND jsonb_exists("data", ${key}::text)`;
    const [row] = await db.$queryRaw<{ count: number }[]>`
      SELECT count(*)::int AS "count" FROM "Contact" WHERE "projectId" = ${projectId}::uuid ${having}`;
    return row?.count ?? 0;
  });

/** Position of a scan over a project's contacts. */
export interface FieldWalk {
  createdAt: Date;
  id: string;
}

/**
 * Removes a custom field from at most `limit` contacts after `after`, in creation order, locked by address.
 *
 * @returns how many had it, and the next position; null at the end
 */
export async function removeField(
  db: Db,
  projectId: string,
  key: string,
  after: FieldWalk | null,
  limit: number,
): Promise<{ removed: number; next: FieldWalk | null }> {
  const beyond = after
    ? Prisma.sql`AND ("createdAt", "id") > (${after.createdAt}::timestamptz, ${after.id}::uuid)`
    : Prisma.empty;
  const rows = await db.$queryRaw<FieldWalk[]>`
    WITH "having" AS (
      SELECT "id" FROM "Contact"
      WHERE "projectId" = ${projectId}::uuid AND jsonb_exists("data", ${key}::text) ${beyond}
      ORDER BY "createdAt", "id" LIMIT ${limit}::int
    ), "locked" AS MATERIALIZED (
      SELECT c."id" FROM "Contact" c JOIN "having" h ON h."id" = c."id" ORDER BY c."email" FOR UPDATE OF c
    )
    UPDATE "Contact" c SET "data" = c."data" - ${key}::text, "updatedAt" = now()
    FROM "locked" l WHERE c."id" = l."id" RETURNING c."createdAt", c."id"`;
  const last = rows.toSorted(byMaking).at(-1);
  return { removed: rows.length, next: rows.length === limit && last ? last : null };
}

const byMaking = (a: FieldWalk, b: FieldWalk): number =>
  a.createdAt.getTime() - b.createdAt.getTime() || (a.id < b.id ? -1 : 1);

/** Discards cached figures about fields, which are wrong once a field is removed. */
export async function forgetFigures(db: Db, projectId: string): Promise<void> {
  await db.cachedFigure.deleteMany({ where: { projectId, key: { startsWith: 'contacts.' } } });
}
