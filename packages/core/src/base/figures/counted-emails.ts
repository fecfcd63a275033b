import { Prisma } from '../db/index.ts';

const facts = Prisma.raw(
  '"at", "sent", "delivered", "opened", "clicked", "bounced", "refused", "complained"',
);

/**
 * What the emails of a project did, without those of TEST and SYSTEM, as rows by quarters of an hour that are to be added up: exact, and to
 * be selected from. A condition on `at` is passed on to the indexes.
 */
export const countedEmails = (projectId: string): Prisma.Sql => Prisma.sql`(
      SELECT ${facts} FROM "Figure" WHERE "projectId" = ${projectId}::uuid AND "scopeId" = ${projectId}::uuid
        AND "dimension" = 'source' AND "unit" = 'quarter'
      UNION ALL SELECT ${facts} FROM "FigureEntry" WHERE "projectId" = ${projectId}::uuid AND "source" IS NOT NULL
    )`;
