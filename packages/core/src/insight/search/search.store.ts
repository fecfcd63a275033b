import { beginsWithOneOf, constant, type Db, Prisma } from '../../base/db/index.ts';
import { addressPartsSought } from '../../base/kernel/index.ts';
import type { SearchableType } from './search.schema.ts';

export interface SearchResult {
  type: SearchableType;
  id: string;
  title: string;
  detail: string | null;
}

const mostOfAType = 5;

const escaped = (text: string): string => text.toLowerCase().replace(/[\\%_]/g, '\\$&');

/**
 * At most five records of each type, in one statement. Addresses are found by their beginning, which has an index, names
 * by any part: a project has few of them. Emails are the newest to the contacts found, and to recipients that are no contacts.
 */
export async function searchRecords(db: Db, projectId: string, text: string): Promise<SearchResult[]> {
  const beginning = `${escaped(text)}%`;
  const addresses = addressPartsSought(text);
  const part = `%${beginning}`;
  const named = (
    type: SearchableType,
    table: Prisma.Sql,
    detail: Prisma.Sql,
    also = Prisma.empty,
  ) => Prisma.sql`
    (SELECT '${constant(type)}' AS "type", r."id"::text, r."name" AS "title", ${detail} AS "detail" FROM ${table} r
      WHERE r."projectId" = ${projectId}::uuid AND (lower(r."name") LIKE ${part} ${also})
      ORDER BY lower(r."name") LIKE ${beginning} DESC, r."updatedAt" DESC, r."id" LIMIT ${mostOfAType}::int)`;
  const none = Prisma.sql`NULL`;
  return db.$queryRaw<SearchResult[]>(Prisma.sql`
    WITH contact AS MATERIALIZED (
      SELECT "id", "email" FROM "Contact" WHERE "projectId" = ${projectId}::uuid AND ${beginsWithOneOf(Prisma.sql`"email"`, addresses)}
      LIMIT ${mostOfAType}::int),
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
    SELECT * FROM (SELECT 'contact' AS "type", "id"::text, "email" AS "title", NULL AS "detail" FROM contact ORDER BY "email") c
    UNION ALL ${named('campaign', Prisma.sql`"Campaign"`, Prisma.sql`r."status"::text`, Prisma.sql`OR lower(r."subject") LIKE ${part}`)}
    UNION ALL ${named('template', Prisma.sql`"Template"`, Prisma.sql`r."subject"`, Prisma.sql`OR lower(r."subject") LIKE ${part}`)}
    UNION ALL ${named('workflow', Prisma.sql`"Workflow"`, none)}
    UNION ALL ${named('segment', Prisma.sql`"Segment"`, none)}
    UNION ALL (SELECT 'email', e."id"::text, e."to", coalesce(e."subject", c."subject") FROM email e
      JOIN "Content" c ON c."id" = e."contentId" ORDER BY e."createdAt" DESC LIMIT ${mostOfAType}::int)`);
}
