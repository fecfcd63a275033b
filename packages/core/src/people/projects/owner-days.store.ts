import { type Database, Prisma, prepared } from '../../base/db/index.ts';
import type { Services } from '../../base/kernel/services.ts';

export interface OwnerNews {
  ownerId: string;
  slowMinutes: number;
  taskLimits: number;
  /** open at once in one process; the day keeps the highest */
  streams: number;
}

const note = prepared<OwnerNews>(
  'note-owner',
  ({ ownerId, slowMinutes, taskLimits, streams }) => Prisma.sql`
    INSERT INTO "OwnerDay" AS d ("userId", "day", "slowMinutes", "taskLimits", "mostStreams")
    SELECT u."id", (now() AT TIME ZONE 'UTC')::date, ${slowMinutes}::int, ${taskLimits}::int, ${streams}::int
    FROM "User" u WHERE u."id" = ${ownerId}::uuid
    ON CONFLICT ("userId", "day") DO UPDATE SET "slowMinutes" = d."slowMinutes" + EXCLUDED."slowMinutes",
      "taskLimits" = d."taskLimits" + EXCLUDED."taskLimits", "mostStreams" = greatest(d."mostStreams", EXCLUDED."mostStreams")`,
);

/** Adds to the day of an owner. Nothing is written for an id that no user has, as of a project without an owner. */
export async function noteOwner({ durable }: Pick<Database, 'durable'>, news: OwnerNews): Promise<void> {
  await durable.query(note(news));
}

const keptDays = 30;

/** Removes at most `limit` days that operators no longer see. @returns how many */
export const sweepOwnerDays = ({ database }: Services, now: Date, limit: number): Promise<number> =>
  database.prisma.$executeRaw`
    DELETE FROM "OwnerDay" d USING (
      SELECT "userId", "day" FROM "OwnerDay" WHERE "day" < (${now}::timestamptz AT TIME ZONE 'UTC')::date - ${keptDays}::int
      ORDER BY "day" LIMIT ${limit}::int) o
    WHERE d."userId" = o."userId" AND d."day" = o."day"`;
