import type { Pool } from 'pg';
import { Prisma, prepared, type SqlDb } from '../../base/db/index.ts';
import type { Services } from '../../base/kernel/services.ts';
import { type TraceContext, traceOfBytes } from '../../base/kernel/trace-context.rules.ts';

/** What an event begins belongs to the trace of its request for this long, in milliseconds. */
const keptMs = 3_600_000;

const keep = prepared<{ eventId: string; projectId: string; trace: Buffer }>(
  'keep-event-trace',
  ({ eventId, projectId, trace }) => Prisma.sql`
INSERT INTO "EventTrace" ("eventId", "projectId", "trace") VALUES (${eventId}::uuid, ${projectId}::uuid, ${trace}::bytea)
ON CONFLICT DO NOTHING`,
);

/** To be called before the event is stored, so that whatever sees the event finds its trace. */
export const keepEventTrace = (
  pool: Pool,
  event: { eventId: string; projectId: string; trace: Buffer },
): Promise<unknown> => pool.query(keep(event));

/** The traces of these events that are sampled. */
export async function readEventTraces(
  db: SqlDb,
  projectId: string,
  eventIds: readonly string[],
): Promise<TraceContext[]> {
  const rows = await db.$queryRaw<{ trace: Uint8Array }[]>`
    SELECT t."trace" FROM unnest(${[...new Set(eventIds)]}::uuid[]) AS k("id")
    CROSS JOIN LATERAL (SELECT * FROM "EventTrace" WHERE "eventId" = k."id" OFFSET 0) t
    WHERE t."projectId" = ${projectId}::uuid`;
  return rows.flatMap(({ trace }) => traceOfBytes(trace) ?? []);
}

/** Removes expired ones, at most `limit`. @returns how many */
export const sweepEventTraces = (services: Services, now: Date, limit: number): Promise<number> =>
  services.database.prisma.$executeRaw`
    DELETE FROM "EventTrace" WHERE ctid = ANY(ARRAY(
      SELECT ctid FROM "EventTrace" WHERE "createdAt" < ${new Date(now.getTime() - keptMs)} ORDER BY "createdAt" LIMIT ${limit}::int
      FOR UPDATE SKIP LOCKED))`;
