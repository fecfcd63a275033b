import { constant, type Db, type DisabledReason, Prisma } from '../../base/db/index.ts';
import { countedEmails } from '../../base/figures/index.ts';
import type { Addressee, DiagnosisClass, SenderRefusal } from '../../base/kernel/index.ts';
import { type Counts, newProjectDays, type Windows } from './reputation.rules.ts';

/** Simulator addresses of Amazon SES: their bounces and complaints are tests. As in the index of these emails. */
const simulator = constant(`'%@simulator.amazonses.com'`);
/** Nor to the simulator of this installation. */
const isReal = Prisma.sql`NOT e."simulated" AND e."to" NOT LIKE ${simulator}`;

/**
 * The figures of a project in three windows, by the time at which an email was sent, or bounced without that. The emails that bounced or were
 * marked as spam have an index of their own; those that were sent are counted by quarters of an hour (`countedEmails`), so the total may
 * have those of up to 15 minutes before a window. Bounces and complaints count people: contacts, not their emails.
 *
 * @param since when all time begins: earlier emails may have been removed; null where all are kept
 */
export async function readCounts(db: Db, projectId: string, since: Date | null): Promise<Windows<Counts>> {
  const rows = await db.$queryRaw<({ name: keyof Windows<Counts> } & Counts)[]>(Prisma.sql`
WITH "span" AS MATERIALIZED (
  SELECT * FROM (VALUES ('twentyFourHour', now() - interval '24 hours'), ('sevenDay', now() - interval '7 days'), ('allTime', coalesce(${since}::timestamptz, '-infinity')))
    AS w("name", "since")
), "bad" AS MATERIALIZED (
  SELECT coalesce(e."sentAt", e."bouncedAt") AS "at", coalesce(e."contactId", e."id") AS "person", e."sentAt" IS NULL AS "refused",
    e."bouncedAt" IS NOT NULL AS "bounced", e."complainedAt" IS NOT NULL AS "complained", NOT e."unprovenNews" AS "proven"
  FROM "Email" e
  WHERE e."projectId" = ${projectId}::uuid AND (e."bouncedAt" IS NOT NULL OR e."complainedAt" IS NOT NULL)
    AND e."sourceType" NOT IN ('TEST', 'SYSTEM') AND ${isReal} AND coalesce(e."sentAt", e."bouncedAt") IS NOT NULL
), "people" AS MATERIALIZED (
  -- The latest email of each person that bounced, complained, or did so for certain: the counts of all windows follow from these times.
  SELECT "person", max("at") FILTER (WHERE "bounced") AS "bounced", max("at") FILTER (WHERE "complained") AS "complained",
    max("at") FILTER (WHERE "bounced" AND "proven") AS "provenBounced", max("at") FILTER (WHERE "complained" AND "proven") AS "provenComplained"
  FROM "bad" GROUP BY "person"
), "simulated" AS MATERIALIZED (
  SELECT e."sentAt" AS "at" FROM "Email" e
  WHERE e."projectId" = ${projectId}::uuid AND e."to" LIKE ${simulator} AND e."sourceType" NOT IN ('TEST', 'SYSTEM') AND e."sentAt" IS NOT NULL
  UNION ALL
  SELECT e."sentAt" AS "at" FROM "Email" e
  WHERE e."projectId" = ${projectId}::uuid AND e."simulated" AND e."sourceType" NOT IN ('TEST', 'SYSTEM') AND e."sentAt" IS NOT NULL
)
SELECT w."name", greatest(0,
    coalesce((SELECT sum(c."sent") FROM ${countedEmails(projectId)} c
      WHERE c."at" > w."since" - interval '15 minutes'), 0)
    - (SELECT count(*) FROM "simulated" s WHERE s."at" > w."since")
    + (SELECT count(*) FROM "bad" b WHERE b."refused" AND b."at" > w."since"))::int AS "total",
  p."bounces", p."complaints", p."bounces" - p."provenBounces" AS "unprovenBounces", p."complaints" - p."provenComplaints" AS "unprovenComplaints"
FROM "span" w CROSS JOIN LATERAL (
  SELECT count(*) FILTER (WHERE "bounced" > w."since")::int AS "bounces", count(*) FILTER (WHERE "complained" > w."since")::int AS "complaints",
    count(*) FILTER (WHERE "provenBounced" > w."since")::int AS "provenBounces",
    count(*) FILTER (WHERE "provenComplained" > w."since")::int AS "provenComplaints"
  FROM "people"
) p`);
  const none: Counts = { total: 0, bounces: 0, complaints: 0, unprovenBounces: 0, unprovenComplaints: 0 };
  const windowOf = (wanted: keyof Windows<Counts>): Counts => {
    const { name: _, ...counts } = rows.find(({ name }) => name === wanted) ?? { name: wanted, ...none };
    return counts;
  };
  return {
    twentyFourHour: windowOf('twentyFourHour'),
    sevenDay: windowOf('sevenDay'),
    allTime: windowOf('allTime'),
  };
}

/**
 * Emails of seven days that were refused for the sender, by class and the time of what was said, and how many failed of those that are not
 * among the sent ones. By the index of refusals.
 */
export async function readRefusals(
  db: Db,
  projectId: string,
): Promise<{ classes: Record<SenderRefusal, number>; unsent: number }> {
  const rows = await db.$queryRaw<{ class: DiagnosisClass; count: number; unsent: number }[]>(Prisma.sql`
    SELECT e."diagnosis" ->> 'class' AS "class", count(*)::int AS "count",
      count(*) FILTER (WHERE e."sentAt" IS NULL AND e."bouncedAt" IS NULL)::int AS "unsent"
    FROM "Email" e
    WHERE e."projectId" = ${projectId}::uuid AND e."diagnosis" IS NOT NULL
      AND e."diagnosis" ->> 'at' > to_char(now() AT TIME ZONE 'UTC' - interval '7 days', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')
      AND e."sourceType" NOT IN ('TEST', 'SYSTEM') AND ${isReal} AND (e."status" = 'FAILED' OR e."sentAt" IS NOT NULL)
    GROUP BY 1`);
  const countOf = (wanted: SenderRefusal): number => rows.find((row) => row.class === wanted)?.count ?? 0;
  return {
    classes: {
      blocked: countOf('blocked'),
      authentication: countOf('authentication'),
      content: countOf('content'),
    },
    unsent: rows.reduce((sum, { unsent }) => sum + unsent, 0),
  };
}

export interface ProjectStanding {
  disabled: boolean;
  disabledReason: DisabledReason | null;
  isNew: boolean;
  /** its email never leaves, so that it has no reputation */
  isTest: boolean;
  suspensions: { reason: DisabledReason; at: Date; liftedAt: Date | null }[];
}

const shownSuspensions = 10;

export async function readStanding(db: Db, projectId: string): Promise<ProjectStanding | null> {
  const [project, suspensions] = await Promise.all([
    db.project.findUnique({
      where: { id: projectId },
      select: { disabled: true, disabledReason: true, createdAt: true, environment: true },
    }),
    db.suspension.findMany({
      where: { projectId },
      orderBy: { at: 'desc' },
      take: shownSuspensions,
      select: { reason: true, at: true, liftedAt: true },
    }),
  ]);
  if (!project) return null;
  const { createdAt, environment, ...state } = project;
  const isNew = Date.now() - createdAt.getTime() < newProjectDays * 86_400_000;
  return { ...state, isNew, isTest: environment === 'TEST', suspensions };
}

/** The pending check of a project, as the number of its last bounce or complaint; null when there is none. */
export async function readCheck(db: Db, projectId: string): Promise<bigint | null> {
  const check = await db.reputationCheck.findUnique({ where: { projectId }, select: { seq: true } });
  return check?.seq ?? null;
}

/** @returns false when a bounce or complaint has arrived since the check was read */
export async function removeCheck(db: Db, projectId: string, seq: bigint): Promise<boolean> {
  return (await db.reputationCheck.deleteMany({ where: { projectId, seq } })).count === 1;
}

/** Projects with a pending check, longest pending first. */
export async function findPendingChecks(db: Db, limit: number): Promise<string[]> {
  const checks = await db.reputationCheck.findMany({ orderBy: { seq: 'asc' }, take: limit });
  return checks.map(({ projectId }) => projectId);
}

/** Hours between two emails about reports without a proof. */
const mailHours = constant(24);

/**
 * Marks that the owner is told of reports without a proof that would have disabled the project.
 *
 * @returns the owner and the project's name; null when that was done within a day
 */
export async function claimUnprovenMail(
  db: Db,
  projectId: string,
): Promise<{ to: Addressee; project: string } | null> {
  const marked = await db.$queryRaw<{ name: string }[]>(Prisma.sql`
    UPDATE "Project" SET "unprovenMailAt" = now() WHERE "id" = ${projectId}::uuid
      AND coalesce("unprovenMailAt" <= now() - ${mailHours} * interval '1 hour' OR "unprovenMailAt" > now(), true)
    RETURNING "name"`);
  const [project] = marked;
  if (!project) return null;
  const owner = await db.member.findFirst({
    where: { projectId, role: 'OWNER' },
    select: { user: { select: { email: true, language: true } } },
  });
  return owner && { to: owner.user, project: project.name };
}

/** Days between two emails about refusals of one class. */
const refusalMailDays = constant(7);

/**
 * Marks that the owner and the admins are told of refusals of a class.
 *
 * @returns the project's name; null when that was done within a week
 */
export async function claimRefusalMail(
  db: Db,
  projectId: string,
  refusal: SenderRefusal,
): Promise<string | null> {
  const marked = await db.$queryRaw<{ name: string }[]>(Prisma.sql`
    UPDATE "Project" SET "refusalMailAt" = coalesce("refusalMailAt", '{}') || jsonb_build_object(${refusal}::text, now())
    WHERE "id" = ${projectId}::uuid AND coalesce(("refusalMailAt" ->> ${refusal}::text)::timestamptz <= now() - ${refusalMailDays} * interval '1 day'
      OR ("refusalMailAt" ->> ${refusal}::text)::timestamptz > now(), true)
    RETURNING "name"`);
  return marked[0]?.name ?? null;
}
