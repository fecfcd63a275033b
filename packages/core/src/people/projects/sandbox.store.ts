import type { Db } from '../../base/db/index.ts';
import type { Services } from '../../base/kernel/services.ts';
import { sandboxEmailsPerDay } from './sandbox.rules.ts';

export interface Sandbox {
  proven: boolean;
  sentToday: number;
  limit: number | null;
}

/** What the sandbox sender still sends for each of these projects. */
export async function findSandboxes(
  db: Db,
  projectIds: readonly string[],
): Promise<(projectId: string) => Sandbox> {
  const rows = await db.$queryRaw<{ projectId: string; proven: boolean; sentToday: number }[]>`
    SELECT m."projectId", u."emailVerified" AS "proven", CASE WHEN u."emailVerified" THEN 0 ELSE (
      SELECT count(*)::int FROM "SandboxSlot" s WHERE s."userId" = u."id" AND s."day" = (now() AT TIME ZONE 'UTC')::date) END AS "sentToday"
    FROM "Member" m JOIN "User" u ON u."id" = m."userId"
    WHERE m."projectId" = ANY(${[...projectIds]}::uuid[]) AND m."role" = 'OWNER'`;
  const sandboxes = new Map(
    rows.map(({ projectId, proven, sentToday }) => [
      projectId,
      { proven, sentToday, limit: proven ? null : sandboxEmailsPerDay },
    ]),
  );
  return (projectId) =>
    sandboxes.get(projectId) ?? { proven: false, sentToday: 0, limit: sandboxEmailsPerDay };
}

/** Longer than an email of one day is tried again. */
const slotDays = 7;

/** Removes at most `limit` slots of days that are over for long. @returns how many */
export const sweepSandboxSlots = ({ database }: Services, now: Date, limit: number): Promise<number> =>
  database.prisma.$executeRaw`
    DELETE FROM "SandboxSlot" WHERE "emailId" IN (
      SELECT "emailId" FROM "SandboxSlot" WHERE "day" < (${now}::timestamptz AT TIME ZONE 'UTC')::date - ${slotDays}::int
      ORDER BY "day" LIMIT ${limit}::int)`;
