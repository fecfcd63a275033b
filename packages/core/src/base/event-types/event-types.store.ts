import { constant, type Db, Prisma } from '../db/index.ts';
import { eventRow, insertEvents, storedAs } from './event-rows.ts';
import type { DataOf, ReportType, StoredType } from './event-types.rules.ts';

/**
 * Queues events of a type that is reported to webhook endpoints only: these are not stored as events, since the activity feed shows every
 * event. For events that are stored, a trigger queues what is to be reported (`queue-webhooks.sql`).
 *
 * The formats of other services have none of these types.
 *
 * @param rows a query with the columns "projectId", "contactId" and "data", one row per event; of emails also "copyId"
 */
export const insertReports = (type: ReportType, rows: Prisma.Sql): Prisma.Sql => {
  const isOfEmail = type.startsWith('email.');
  return Prisma.sql`INSERT INTO "WebhookDelivery"
    ("id", "projectId", "endpointId", "type", "data", "contactId", "copyId")
  SELECT uuid7(), r."projectId", w."id", ${constant(`'${type}'`)}, ${constant(isOfEmail ? `'{"tags": [], "metadata": {}}'::jsonb || ` : '')}r."data" || jsonb_build_object('contact',
      CASE WHEN c."id" IS NOT NULL THEN jsonb_build_object('id', c."id", 'email', c."email", 'externalId', c."externalId") END), c."id",
    ${constant(isOfEmail ? 'r."copyId"' : 'NULL')}
  FROM (${rows}) r
  JOIN "WebhookEndpoint" w ON w."projectId" = r."projectId" AND w."enabled" AND w."format" = 'POSTRIDER' AND w."types" && ${constant(`ARRAY['*', '${type}']`)}
  LEFT JOIN "Contact" c ON c."id" = r."contactId"`;
};

/** Queues one event that is about no contact. */
export async function reportEvent<Type extends ReportType>(
  db: Db,
  type: Type,
  projectId: string,
  data: DataOf<Type>,
): Promise<void> {
  await db.$executeRaw(
    insertReports(
      type,
      Prisma.sql`SELECT ${projectId}::uuid AS "projectId", NULL::uuid AS "contactId", ${JSON.stringify(data)}::jsonb AS "data"`,
    ),
  );
}

/** Stores one event that is about no contact. */
export async function storeEvent<Type extends StoredType>(
  db: Db,
  type: Type,
  projectId: string,
  data: DataOf<Type>,
): Promise<void> {
  await db.$executeRaw`${insertEvents} ${eventRow({
    ...storedAs(type),
    projectId: Prisma.sql`${projectId}::uuid`,
    data: Prisma.sql`${JSON.stringify(data)}::jsonb`,
    contactId: Prisma.sql`NULL::uuid`,
  })}`;
}
