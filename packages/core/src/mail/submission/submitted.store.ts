import type { Db } from '../../base/db/index.ts';
import type { Services } from '../../base/kernel/services.ts';

/**
 * The emails of the submission that used an idempotency key first (behaviour B11.8): they were stored in one statement with the key, so they
 * have its time.
 *
 * @returns their ids in the order of the recipients; empty when no submission used the key
 */
export async function findSubmittedEmails(
  { database }: Pick<Services, 'database'>,
  projectId: string,
  key: string,
): Promise<string[]> {
  const rows = await database.prisma.$queryRaw<{ id: string }[]>`
    SELECT e."id" FROM "IdempotencyKey" k
    JOIN "Email" e ON e."projectId" = k."projectId" AND e."createdAt" = k."createdAt"
    JOIN "Content" c ON c."id" = e."contentId" AND c."raw" ->> 'idempotencyKey' = k."key"
    WHERE k."projectId" = ${projectId}::uuid AND k."key" = ${key} ORDER BY e."id"`;
  return rows.map(({ id }) => id);
}

/** The first bytes of a submitted message; null when its content is none, or it is no longer stored. */
export async function readMessageStart(
  db: Db,
  projectId: string,
  contentId: string,
  bytes: number,
): Promise<Buffer | null> {
  const [row] = await db.$queryRaw<{ start: Uint8Array | null }[]>`
    SELECT substring(b."bytes" FROM 1 FOR ${bytes}::int) AS "start" FROM "Content" c
    JOIN "Blob" b ON b."projectId" = c."projectId" AND b."hash" = decode(c."raw" ->> 'blob', 'hex')
    WHERE c."id" = ${contentId}::uuid AND c."projectId" = ${projectId}::uuid`;
  return row?.start ? Buffer.from(row.start) : null;
}
