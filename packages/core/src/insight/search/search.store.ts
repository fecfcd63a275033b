import { nameFields, nameOf } from '../../audience/contacts/index.ts';
import { beginsWithOneOf, constant, type Db, likeText, Prisma } from '../../base/db/index.ts';
import { addressPartsSought } from '../../base/kernel/index.ts';
import type { SearchableType } from './search.schema.ts';

export interface SearchResult {
  type: SearchableType;
  id: string;
  title: string;
  detail: string | null;
}

export const mostOfAType = 5;

/** The fields that a name is read from, each by itself: the data of a contact may be large. */
const nameParts = constant(
  `jsonb_build_object(${nameFields.map((field) => `'${field}', left("data" ->> '${field}', 1000)`).join(', ')})`,
);

/**
 * At most five records of each type, in one statement. Addresses are found by their beginning and names of contacts by that of a word, which
 * have an index, names of other records by any part: a project has few of them. Emails are the newest to the contacts found, and to recipients that are no contacts.
 *
 * @param named the ids of contacts that the text names, at most five
 */
export async function searchRecords(
  db: Db,
  projectId: string,
  { text, named: namedIds }: { text: string; named: readonly string[] },
): Promise<SearchResult[]> {
  const beginning = `${likeText(text.toLowerCase())}%`;
  const addresses = addressPartsSought(text);
  const part = `%${beginning}`;
  const named = (
    type: SearchableType,
    table: Prisma.Sql,
    detail: Prisma.Sql,
    also = Prisma.empty,
  ) => Prisma.sql`
    (SELECT '${constant(type)}' AS "type", r."id"::text, r."name" AS "title", ${detail} AS "detail", NULL::jsonb AS "names" FROM ${table} r
      WHERE r."projectId" = ${projectId}::uuid AND (lower(r."name") LIKE ${part} ${also})
      ORDER BY lower(r."name") LIKE ${beginning} DESC, r."updatedAt" DESC, r."id" LIMIT ${mostOfAType}::int)`;
  const none = Prisma.sql`NULL`;
  const begins = beginsWithOneOf(Prisma.sql`"email"`, addresses);
  const people = (condition: Prisma.Sql) => Prisma.sql`
    (SELECT "id", "email", ${nameParts} AS "names" FROM "Contact" WHERE "projectId" = ${projectId}::uuid AND ${condition}
      LIMIT ${mostOfAType}::int)`;
  const rows = await db.$queryRaw<(SearchResult & { names: Record<string, unknown> | null })[]>(Prisma.sql`
    WITH contact AS MATERIALIZED (
      SELECT * FROM (
        SELECT * FROM ${people(begins)} addressed
        UNION SELECT * FROM ${people(Prisma.sql`"id" = ANY(${[...namedIds]}::uuid[])`)} named) found
      ORDER BY ${begins} DESC, "email" LIMIT ${mostOfAType}::int),
    email AS MATERIALIZED (
      SELECT e.* FROM contact CROSS JOIN LATERAL (
        SELECT m."id", m."to", m."subject", m."contentId", m."createdAt" FROM "Email" m
        WHERE m."projectId" = ${projectId}::uuid AND m."contactId" = contact."id" AND m."sourceType" <> 'SYSTEM'
        ORDER BY m."createdAt" DESC LIMIT ${mostOfAType}::int) e
      UNION
      (SELECT m."id", m."to", m."subject", m."contentId", m."createdAt" FROM "Email" m
        WHERE m."projectId" = ${projectId}::uuid AND ${beginsWithOneOf(Prisma.sql`m."to"`, addresses)} AND m."sourceType" <> 'SYSTEM'
          AND (m."contactId" IS NULL OR m."sourceType" = 'WORKFLOW' OR m."readdressed" OR m."toOther")
        LIMIT ${mostOfAType}::int))
    SELECT * FROM (SELECT 'contact' AS "type", "id"::text, "email" AS "title", NULL AS "detail", "names" FROM contact ORDER BY "email") c
    UNION ALL ${named('campaign', Prisma.sql`"Campaign"`, Prisma.sql`r."status"::text`, Prisma.sql`OR lower(r."subject") LIKE ${part}`)}
    UNION ALL ${named('template', Prisma.sql`"Template"`, Prisma.sql`r."subject"`, Prisma.sql`OR lower(r."subject") LIKE ${part}`)}
    UNION ALL ${named('workflow', Prisma.sql`"Workflow"`, none)}
    UNION ALL ${named('segment', Prisma.sql`"Segment"`, none)}
    UNION ALL (SELECT 'email', e."id"::text, e."to", coalesce(e."subject", c."subject"), NULL FROM email e
      JOIN "Content" c ON c."id" = e."contentId" ORDER BY e."createdAt" DESC LIMIT ${mostOfAType}::int)`);
  return rows.map(({ names, ...row }) => (names ? { ...row, detail: nameOf(names) } : row));
}
