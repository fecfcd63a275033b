import { constant, type Database, type Db, Prisma } from '../../base/db/index.ts';
import type { Keyset } from '../../base/kernel/index.ts';
import { newId } from '../../base/lib/index.ts';

export interface AuditRow {
  id: string;
  operation: string;
  actorType: string;
  actorId: string | null;
  keyId: string | null;
  keyName: string | null;
  actorEmail: string | null;
  targetType: string | null;
  targetId: string | null;
  changed: string[];
  ip: string | null;
  requestId: string;
  createdAt: Date;
}

export interface AuditSearch {
  projectId: string;
  operation?: string | undefined;
  actorId?: string | undefined;
  targetId?: string | undefined;
  from?: Date | undefined;
  to?: Date | undefined;
}

function conditionOf({ projectId, operation, actorId, targetId, from, to }: AuditSearch): Prisma.Sql {
  const conditions = [Prisma.sql`a."projectId" = ${projectId}::uuid`];
  if (operation !== undefined) conditions.push(Prisma.sql`a."operation" = ${operation}`);
  if (actorId) conditions.push(Prisma.sql`a."actorId" = ${actorId}`);
  if (targetId !== undefined) conditions.push(Prisma.sql`a."targetId" = ${targetId}`);
  if (from) conditions.push(Prisma.sql`a."createdAt" >= ${from}`);
  if (to) conditions.push(Prisma.sql`a."createdAt" < ${to}`);
  return Prisma.join(conditions, ' AND ');
}

/** What records are called, by the kind of target: the table and the expression. `own`: it belongs to no project but by the entry itself. */
const named: Record<string, { table: string; name: string; own?: true }> = {
  block: { table: 'SavedBlock', name: '"name"' },
  campaign: { table: 'Campaign', name: '"name"' },
  contact: { table: 'Contact', name: '"email"' },
  domain: { table: 'Domain', name: '"domain"' },
  email: { table: 'Email', name: 'nullif("to", \'\')' },
  goal: { table: 'Goal', name: '"name"' },
  invitation: { table: 'Invitation', name: '"email"' },
  job: { table: 'Job', name: '"fileName"' },
  key: { table: 'ApiKey', name: '"name"' },
  member: { table: 'User', name: '"email"', own: true },
  segment: { table: 'Segment', name: '"name"' },
  template: { table: 'Template', name: '"name"' },
  upload: { table: 'Upload', name: '"filename"' },
  user: { table: 'User', name: '"email"', own: true },
  // The rest of its URL may be secret.
  webhookEndpoint: { table: 'WebhookEndpoint', name: `substring("url" FROM '^[a-z]+://([^/?#]+)')` },
  workflow: { table: 'Workflow', name: '"name"' },
};

/** The name of the record that an entry `a` is about, as it is now. */
const presentName = constant(
  `CASE a."targetType" ${Object.entries(named)
    .map(
      ([type, { table, name, own }]) =>
        `WHEN '${type}' THEN (SELECT ${name} FROM "${table}" WHERE "id" = x."id"${own ? '' : ' AND "projectId" = a."projectId"'})`,
    )
    .join(' ')}
    WHEN 'execution' THEN (SELECT w."name" FROM "WorkflowExecution" e JOIN "Workflow" w ON w."id" = e."workflowId"
      WHERE e."id" = x."id" AND e."projectId" = a."projectId")
    WHEN 'event' THEN a."targetId" WHEN 'contactField' THEN a."targetId" END`,
);

const uuidForm = '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$';

/** An entry with the name of its record. */
export interface NamedAuditRow extends AuditRow {
  targetName: string | null;
}

/** One keyset page, newest first. */
export function findAuditRows(
  db: Db,
  search: AuditSearch,
  after: Keyset | null,
  limit: number,
): Promise<NamedAuditRow[]> {
  const older = after
    ? Prisma.sql`AND (a."createdAt", a."id") < (${new Date(after.value)}, ${after.id}::uuid)`
    : Prisma.empty;
  return db.$queryRaw<NamedAuditRow[]>(Prisma.sql`
SELECT a."id", a."operation", a."actorType", a."actorId", a."keyId", a."keyName", u."email" AS "actorEmail", a."targetType", a."targetId",
  coalesce(${presentName}, a."targetName") AS "targetName", a."changed", a."ip", a."requestId", a."createdAt"
FROM "AuditLog" a
LEFT JOIN LATERAL (SELECT CASE WHEN a."targetId" ~ ${uuidForm} THEN a."targetId"::uuid END AS "id") x ON true
LEFT JOIN "User" u ON a."actorType" = 'user' AND u."id" = a."actorId"::uuid
WHERE ${conditionOf(search)} ${older}
ORDER BY a."createdAt" DESC, a."id" DESC LIMIT ${limit}`);
}

/** The newest entries about each of these records, at most `limit` of each, oldest first. */
export async function findAuditOf(
  db: Db,
  projectId: string,
  targetIds: readonly string[],
  limit: number,
): Promise<AuditRow[]> {
  if (targetIds.length === 0) return [];
  const rows = await db.$queryRaw<AuditRow[]>`
    SELECT a."id", a."operation", a."actorType", a."actorId", a."keyId", a."keyName", u."email" AS "actorEmail", a."targetType", a."targetId",
      a."changed", a."ip", a."requestId", a."createdAt"
    FROM unnest(${[...targetIds]}::text[]) AS t("id") CROSS JOIN LATERAL (
      SELECT * FROM "AuditLog" WHERE "projectId" = ${projectId}::uuid AND "targetId" = t."id"
      ORDER BY "createdAt" DESC LIMIT ${limit}::int) a
    LEFT JOIN "User" u ON a."actorType" = 'user' AND u."id" = a."actorId"::uuid`;
  return rows.toSorted((one, other) => one.createdAt.getTime() - other.createdAt.getTime());
}

export async function countAuditRows(db: Db, search: AuditSearch): Promise<number> {
  const rows = await db.$queryRaw<{ count: number }[]>(
    Prisma.sql`SELECT count(*)::int AS count FROM "AuditLog" a WHERE ${conditionOf(search)}`,
  );
  return rows[0]?.count ?? 0;
}

/** Writes that a login of this user failed, into each project that the user is a member of. */
export async function insertFailedLogin(
  db: Db,
  userId: string,
  { id: requestId, ip }: { id: string; ip: string | null },
): Promise<void> {
  const memberships = await db.member.findMany({ where: { userId }, select: { projectId: true } });
  await db.auditLog.createMany({
    data: memberships.map(({ projectId }) => ({
      id: newId(),
      projectId,
      operation: 'auth.login_failed',
      actorType: 'anonymous',
      requestId,
      ip,
      targetType: 'user',
      targetId: userId,
    })),
  });
}

/** Removes at most `limit` entries created before `before`. @returns how many */
export const removeAuditRows = (database: Database, before: Date, limit: number): Promise<number> =>
  database.prisma.$executeRaw`
    DELETE FROM "AuditLog" WHERE "id" IN (
      SELECT "id" FROM "AuditLog" WHERE "createdAt" < ${before} ORDER BY "createdAt" LIMIT ${limit}::int)`;

/** The addresses of users, by their ids; those that are deleted are left out. */
export async function emailsOfUsers(db: Db, ids: readonly string[]): Promise<Map<string, string>> {
  if (ids.length === 0) return new Map();
  const rows = await db.user.findMany({
    where: { id: { in: [...ids] } },
    select: { id: true, email: true },
  });
  return new Map(rows.map(({ id, email }) => [id, email]));
}
