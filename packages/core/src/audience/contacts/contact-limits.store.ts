import { type Db, Prisma } from '../../base/db/index.ts';
import type { ContactLimits } from '../../people/projects/contact-limits.schema.ts';

export interface LimitsRow {
  id: string;
  limits: ContactLimits;
  timeZone: string;
  named: string | null;
  /** when its emails took their slots, in milliseconds since 1970 by the database's clock */
  times: number[];
  readAt: number;
}

/** The limits of a project as they are for some of its contacts; none without limits. */
export const findLimitsOf = (db: Db, projectId: string, ids: readonly string[]): Promise<LimitsRow[]> =>
  db.$queryRaw<LimitsRow[]>(Prisma.sql`
    SELECT c."id", p."contactLimits" AS "limits", p."timezone" AS "timeZone", left(c."data" ->> 'timezone', 65) AS "named",
      ARRAY(SELECT s.value::float8 FROM jsonb_each_text(l."sent") AS s) AS "times", extract(epoch FROM clock_timestamp())::float8 * 1000 AS "readAt"
    FROM "Project" p JOIN "Contact" c ON c."projectId" = p."id" LEFT JOIN "ContactLimit" l ON l."contactId" = c."id"
    WHERE p."id" = ${projectId}::uuid AND p."contactLimits" IS NOT NULL AND c."id" = ANY(${[...ids]}::uuid[])`);
