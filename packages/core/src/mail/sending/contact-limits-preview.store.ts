import { type Db, Prisma } from '../../base/db/index.ts';

export interface SentToContact {
  /** the zone that the contact names */
  named: string | null;
  /** when its emails were sent, in milliseconds since 1970, oldest first */
  times: number[];
}

export interface SentLately {
  contacts: SentToContact[];
  since: Date;
}

/**
 * What was sent to contacts lately that limits would hold for: of the newest `most` emails of the last `days`. Email that is outside of the limits
 * now is left out.
 */
export async function findSentLately(
  db: Db,
  projectId: string,
  { days, most }: { days: number; most: number },
): Promise<SentLately> {
  const [row] = await db.$queryRaw<{ contacts: SentToContact[] | null; since: Date }[]>(Prisma.sql`
    WITH newest AS MATERIALIZED (
      SELECT "contactId", "templateId", "campaignId", "type", "sourceType", "toOther", "sentAt", "createdAt" FROM "Email"
      WHERE "projectId" = ${projectId}::uuid AND "createdAt" > now() - ${days}::int * interval '1 day'
      ORDER BY "createdAt" DESC, "id" DESC LIMIT ${most}::int
    ), sent AS (
      SELECT n."contactId" AS "id", array_agg((extract(epoch FROM n."sentAt") * 1000)::float8 ORDER BY n."sentAt") AS "times" FROM newest n
      WHERE n."sentAt" IS NOT NULL AND n."contactId" IS NOT NULL AND n."type" <> 'TRANSACTIONAL' AND n."sourceType" NOT IN ('TEST', 'SYSTEM')
        AND NOT n."toOther" AND NOT coalesce(CASE WHEN n."campaignId" IS NOT NULL
          THEN n."campaignId" IN (SELECT "id" FROM "Campaign" WHERE "projectId" = ${projectId}::uuid AND "exemptFromLimits")
          ELSE n."templateId" IN (SELECT "id" FROM "Template" WHERE "projectId" = ${projectId}::uuid AND "exemptFromLimits") END, false)
      GROUP BY 1
    )
    SELECT (SELECT jsonb_agg(jsonb_build_object('named', left(c."data" ->> 'timezone', 65), 'times', s."times"))
        FROM sent s JOIN "Contact" c ON c."id" = s."id" AND c."projectId" = ${projectId}::uuid) AS "contacts",
      CASE WHEN (SELECT count(*) FROM newest) < ${most}::int THEN now() - ${days}::int * interval '1 day' ELSE (SELECT min("createdAt") FROM newest) END AS "since"`);
  return { contacts: row?.contacts ?? [], since: row?.since ?? new Date() };
}
