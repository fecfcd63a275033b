import { type Db, Prisma, type SqlDb } from '../../base/db/index.ts';
import type { KeyColumns, ProjectEnvironment, Role } from '../../base/kernel/index.ts';
import type { ApprovalSettings } from './approval-settings.schema.ts';
import { type Brand, brandOf } from './brand.schema.ts';
import type { ContactLimits } from './contact-limits.schema.ts';
import type { ProjectUpdate } from './projects.schema.ts';

export type ProjectRow = Prisma.ProjectGetPayload<object>;

export const findProject = (db: Db, projectId: string): Promise<ProjectRow | null> =>
  db.project.findFirst({ where: { id: projectId, deletedAt: null } });

/** Whether the email of a project leaves; it never changes. */
export async function environmentOf(db: Db, projectId: string): Promise<ProjectEnvironment> {
  const row = await db.project.findUnique({ where: { id: projectId }, select: { environment: true } });
  return row?.environment ?? 'LIVE';
}

/** The zone of a project's days (behaviour B2.5); that of a deleted project is still known. */
export async function timeZoneOfProject(db: SqlDb, projectId: string): Promise<string> {
  const [row] = await db.$queryRaw<{ timeZone: string }[]>`
    SELECT "timezone" AS "timeZone" FROM "Project" WHERE "id" = ${projectId}::uuid`;
  return row?.timeZone ?? 'UTC';
}

/** Whether PostgreSQL knows a time zone too, whose version of the IANA database may be older than that of the caller. */
export async function isZoneKnown(db: Db, timeZone: string): Promise<boolean> {
  const rows = await db.$queryRaw<unknown[]>`
    SELECT 1 FROM pg_timezone_names WHERE lower("name") = lower(${timeZone}::text) LIMIT 1`;
  return rows.length > 0;
}

/** What emails designed for a project have of it. */
export async function findLook(
  db: Db,
  projectId: string,
): Promise<{ name: string; language: string; brand: Brand }> {
  const { name, language, brand } = await db.project.findUniqueOrThrow({
    where: { id: projectId },
    select: { name: true, language: true, brand: true },
  });
  return { name, language, brand: brandOf(brand) };
}

/** The projects of a user with the role in each, without hidden and deleted ones. */
export async function findProjectsOf(db: Db, userId: string): Promise<{ role: Role; project: ProjectRow }[]> {
  return db.member.findMany({
    where: { userId, project: { deletedAt: null, kind: 'CUSTOMER' } },
    select: { role: true, project: true },
  });
}

export const ownsDisabledProject = async (db: Db, userId: string): Promise<boolean> =>
  (await db.member.count({
    where: { userId, role: 'OWNER', project: { disabled: true, deletedAt: null } },
  })) > 0;

/** How many projects a user owns. Further ones wait until the transaction ends, so that none exceeds the cap. */
export async function countOwnedProjects(db: Db, userId: string): Promise<number> {
  await db.$queryRaw`SELECT pg_advisory_xact_lock(hashtextextended(${`projects:${userId}`}, 0))::text`;
  return db.member.count({ where: { userId, role: 'OWNER', project: { deletedAt: null } } });
}

export interface NewProject extends KeyColumns {
  id: string;
  name: string;
  environment: ProjectEnvironment;
  webhookSecretCipher: string;
}

export const insertProject = (db: Db, project: NewProject, ownerId: string): Promise<ProjectRow> =>
  db.project.create({ data: { ...project, members: { create: { userId: ownerId, role: 'OWNER' } } } });

/** A field that is undefined stays as it is. */
export interface ProjectChange
  extends Partial<KeyColumns & Omit<ProjectUpdate, 'id' | 'brand' | 'consent' | 'utm'>> {
  webhookSecretCipher?: string;
}

export const changeProject = (
  db: Db,
  projectId: string,
  { contactLimits, approval, ...change }: ProjectChange,
): Promise<ProjectRow> =>
  db.project.update({
    where: { id: projectId },
    data: {
      ...change,
      ...(contactLimits === undefined ? {} : { contactLimits: contactLimits ?? Prisma.DbNull }),
      ...(approval && { approvalRequired: approval.required, approvalAbove: approval.above }),
    },
  });

/** What waits by the limits of its contact is looked at again by `reconcile`, which is not before the time of this transaction is over. */
export const noteChangedLimits = (db: Db, projectId: string): Promise<number> =>
  db.$executeRaw`UPDATE "Project" SET "limitsChangedAt" = clock_timestamp() WHERE "id" = ${projectId}::uuid AND "contactLimits" IS NOT NULL`;

/** Has the tracked segments of a project computed soon, as they depend on its time zone. In the common lock order. */
export const computeSegmentsSoon = (db: Db, projectId: string): Promise<number> => db.$executeRaw`
  WITH "locked" AS (
    SELECT "id" FROM "Segment" WHERE "projectId" = ${projectId}::uuid AND "trackMembership" AND "type" = 'DYNAMIC'
    ORDER BY "id" FOR NO KEY UPDATE)
  UPDATE "Segment" s SET "nextComputeAt" = now() FROM "locked" l WHERE s."id" = l."id"`;

/** The limits of a project's contacts with the zone of those that name none. */
export async function readContactLimits(
  db: Db,
  projectId: string,
): Promise<{ limits: ContactLimits | null; timeZone: string }> {
  const row = await db.project.findUnique({
    where: { id: projectId },
    select: { contactLimits: true, timeZone: true },
  });
  return { limits: (row?.contactLimits ?? null) as ContactLimits | null, timeZone: row?.timeZone ?? 'UTC' };
}

/** What the checks before sending know of a project: whether errors refuse a send, the postal address of its brand, and what is tracked. */
export async function findGate(
  db: Db,
  projectId: string,
): Promise<{ isStrict: boolean; address: string | null; tracking: ProjectRow['tracking'] }> {
  const { sendGate, brand, tracking } = await db.project.findUniqueOrThrow({
    where: { id: projectId },
    select: { sendGate: true, brand: true, tracking: true },
  });
  return { isStrict: sendGate === 'STRICT', address: brandOf(brand).address, tracking };
}

/** Which campaigns of a project a second person has to approve. */
export async function findApprovalSettings(db: Db, projectId: string): Promise<ApprovalSettings> {
  const { approvalRequired: required, approvalAbove: above } = await db.project.findUniqueOrThrow({
    where: { id: projectId },
    select: { approvalRequired: true, approvalAbove: true },
  });
  return { required, above };
}

/** Merges a change into the stored brand; fields that are null are removed, so that the default applies. */
export async function changeBrand(db: Db, projectId: string, change: object): Promise<void> {
  await db.$executeRaw`
    UPDATE "Project" SET "brand" = jsonb_strip_nulls(coalesce("brand", '{}'::jsonb) || ${JSON.stringify(change)}::jsonb)
    WHERE "id" = ${projectId}::uuid`;
}

/** Creates the hidden project with its fixed id unless it exists. */
export async function ensureHiddenProject(db: Db, id: string, name: string): Promise<ProjectRow> {
  await db.project.createMany({
    data: [{ id, name, kind: 'SYSTEM', tracking: 'DISABLED' }],
    skipDuplicates: true,
  });
  return db.project.findUniqueOrThrow({ where: { id } });
}
