import type { Services } from '../../kernel/services.ts';

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
