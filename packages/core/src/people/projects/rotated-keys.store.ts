import type { Db } from '../../base/db/index.ts';
import type { Services } from '../../base/kernel/services.ts';
import { newId } from '../../base/lib/index.ts';

/** Lets the present pair of a project work until `expiresAt`, beside the pair that replaces it. Locks the project. */
export async function keepRotatedKeys(db: Db, projectId: string, expiresAt: Date): Promise<void> {
  await db.$executeRaw`
    INSERT INTO "ApiKey" ("id", "projectId", "prefix", "hash", "scope", "expiresAt")
    SELECT k."id"::uuid, p."id", k."prefix", k."hash", k."scope"::"KeyScope", ${expiresAt}
    FROM (SELECT * FROM "Project" WHERE "id" = ${projectId}::uuid FOR UPDATE) p CROSS JOIN LATERAL (VALUES
      (${newId()}, 'pk_', p."publicKeyHash", 'track'), (${newId()}, 'sk_', p."secretKeyHash", 'full')
    ) AS k("id", "prefix", "hash", "scope") WHERE k."hash" IS NOT NULL`;
}

/** Ends the pairs that earlier rotations left working. */
export async function endRotatedKeys(db: Db, projectId: string): Promise<void> {
  await db.apiKey.deleteMany({ where: { projectId, name: null } });
}

/** Removes at most `limit` keys of rotated pairs that have expired. @returns how many */
export async function sweepRotatedKeys(services: Services, now: Date, limit: number): Promise<number> {
  return services.database.prisma.$executeRaw`
    DELETE FROM "ApiKey" WHERE "id" IN (
      SELECT "id" FROM "ApiKey" WHERE "name" IS NULL AND "expiresAt" < ${now} ORDER BY "expiresAt" LIMIT ${limit}::int)`;
}
