import { type Db, Prisma } from '../../base/db/index.ts';
import type { Keyset } from '../../base/kernel/index.ts';
import { newId } from '../../base/lib/index.ts';

interface StoredAttempt {
  at: string;
  statusCode: number | null;
  error: string | null;
  ms: number;
  response: string | null;
}

export interface DeliveryRow {
  id: string;
  type: string;
  status: 'PENDING' | 'DELIVERED' | 'FAILED';
  attempts: StoredAttempt[];
  nextAttemptAt: Date | null;
  data: Record<string, unknown>;
  eventAt: Date;
  createdAt: Date;
}

const columns = Prisma.sql`d."id", d."type", d."status"::text AS "status", d."attempts", d."nextAttemptAt", d."data", d."eventAt", d."createdAt"`;

export interface DeliverySearch {
  projectId: string;
  endpointId: string;
  status?: string | undefined;
  type?: string | undefined;
}

function conditionOf({ projectId, endpointId, status, type }: DeliverySearch): Prisma.Sql {
  const conditions = [
    Prisma.sql`d."endpointId" = ${endpointId}::uuid AND d."projectId" = ${projectId}::uuid`,
  ];
  if (status !== undefined) conditions.push(Prisma.sql`d."status" = ${status}::"WebhookDeliveryStatus"`);
  if (type !== undefined) conditions.push(Prisma.sql`d."type" = ${type}`);
  return Prisma.join(conditions, ' AND ');
}

/** One keyset page, newest first. */
export function findDeliveries(
  db: Db,
  search: DeliverySearch,
  after: Keyset | null,
  limit: number,
): Promise<DeliveryRow[]> {
  const older = after
    ? Prisma.sql`AND (d."createdAt", d."id") < (${new Date(after.value)}, ${after.id}::uuid)`
    : Prisma.empty;
  return db.$queryRaw<DeliveryRow[]>(Prisma.sql`
SELECT ${columns} FROM "WebhookDelivery" d WHERE ${conditionOf(search)} ${older}
ORDER BY d."createdAt" DESC, d."id" DESC LIMIT ${limit}`);
}

export async function countDeliveries(db: Db, search: DeliverySearch): Promise<number> {
  const rows = await db.$queryRaw<{ count: number }[]>(
    Prisma.sql`SELECT count(*)::int AS count FROM "WebhookDelivery" d WHERE ${conditionOf(search)}`,
  );
  return rows[0]?.count ?? 0;
}

interface DeliveryPlace {
  projectId: string;
  endpointId: string;
  id: string;
}

const isOne = ({ projectId, endpointId, id }: DeliveryPlace): Prisma.Sql =>
  Prisma.sql`d."id" = ${id}::uuid AND d."endpointId" = ${endpointId}::uuid AND d."projectId" = ${projectId}::uuid`;

export async function findDelivery(db: Db, place: DeliveryPlace): Promise<DeliveryRow | null> {
  const [row] = await db.$queryRaw<DeliveryRow[]>(
    Prisma.sql`SELECT ${columns} FROM "WebhookDelivery" d WHERE ${isOne(place)}`,
  );
  return row ?? null;
}

export async function insertDelivery(
  db: Db,
  delivery: { projectId: string; endpointId: string; type: string; data: Prisma.InputJsonObject },
): Promise<string> {
  const id = newId();
  await db.webhookDelivery.create({ data: { id, ...delivery } });
  return id;
}

/** Due now, with all attempts ahead. One that is being attempted keeps its claim: that attempt is the first of them. */
const queuedAgain = Prisma.sql`"status" = 'PENDING', "tries" = 0, "nextAttemptAt" = now()`;

/** Queues a delivery again. @returns null when there is none */
export async function replayOne(db: Db, place: DeliveryPlace): Promise<DeliveryRow | null> {
  const [row] = await db.$queryRaw<DeliveryRow[]>(
    Prisma.sql`UPDATE "WebhookDelivery" d SET ${queuedAgain} WHERE ${isOne(place)} RETURNING ${columns}`,
  );
  return row ?? null;
}

export interface ReplayRange {
  projectId: string;
  endpointId: string;
  from: Date;
  to: Date;
  types: string[] | null;
  failedOnly: boolean;
}

const inRange = ({
  projectId,
  endpointId,
  from,
  to,
  types,
  failedOnly,
}: ReplayRange): Prisma.Sql => Prisma.sql`
  d."endpointId" = ${endpointId}::uuid AND d."projectId" = ${projectId}::uuid AND d."createdAt" >= ${from} AND d."createdAt" < ${to}
  ${types ? Prisma.sql`AND d."type" = ANY(${types}::text[])` : Prisma.empty}
  ${failedOnly ? Prisma.sql`AND d."status" = 'FAILED'` : Prisma.empty}`;

export async function countRange(db: Db, range: ReplayRange): Promise<number> {
  const rows = await db.$queryRaw<{ count: number }[]>(
    Prisma.sql`SELECT count(*)::int AS count FROM "WebhookDelivery" d WHERE ${inRange(range)}`,
  );
  return rows[0]?.count ?? 0;
}

/** Queues the next deliveries of a range again, oldest first. @returns the position to continue from; null at the end */
export async function replayNext(
  db: Db,
  range: ReplayRange,
  after: Keyset | null,
  limit: number,
): Promise<{ count: number; last: Keyset | null }> {
  const later = after
    ? Prisma.sql`AND (d."createdAt", d."id") > (${new Date(after.value)}, ${after.id}::uuid)`
    : Prisma.empty;
  const rows = await db.$queryRaw<{ id: string; createdAt: Date }[]>(Prisma.sql`
    WITH next AS MATERIALIZED (
      SELECT d."id", d."createdAt" FROM "WebhookDelivery" d WHERE ${inRange(range)} ${later}
      ORDER BY d."createdAt", d."id" LIMIT ${limit} FOR UPDATE
    ), queued AS (
      -- An array, so that each row is found by its id, in the slice that this names.
      UPDATE "WebhookDelivery" d SET ${queuedAgain} FROM next WHERE d."id" = ANY(ARRAY[next."id"])
    )
    SELECT "id", "createdAt" FROM next ORDER BY "createdAt", "id"`);
  const last = rows.at(-1);
  return {
    count: rows.length,
    last: last && rows.length === limit ? { value: last.createdAt.toISOString(), id: last.id } : null,
  };
}

/** Removes at most `limit` deliveries queued before `before` from a slice (decision 111). @returns how many */
export const removeDeliveries = (db: Db, slice: string, before: Date, limit: number): Promise<number> => {
  const name = Prisma.raw(`"${slice}"`);
  return db.$executeRaw`
    DELETE FROM ${name} WHERE "id" = ANY(ARRAY(
      SELECT "id" FROM ${name} WHERE "createdAt" < ${before}::timestamptz ORDER BY "createdAt" LIMIT ${limit}::int))`;
};
