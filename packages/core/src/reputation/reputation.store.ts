import { type Db, type DisabledReason, Prisma } from '../db/index.ts';
import { figuresOf } from '../figures/index.ts';
import { type Counts, newProjectDays, type Windows } from './reputation.rules.ts';

/** Simulator addresses of Amazon SES: their bounces and complaints are tests. */
const simulator = '%@simulator.amazonses.com';

/** Small projects are counted each time, so that a level is noticed at once; large ones at most every 5 minutes. */
const emailFigures = figuresOf({
  prefix: 'reputation',
  largeAbove: 50_000,
  maxAgeSeconds: 300,
  async hasMoreThan(db, projectId, rows) {
    const found = await db.$queryRaw<{ more: boolean }[]>(Prisma.sql`
      SELECT count(*) > ${rows} AS more FROM (
        SELECT FROM "Email" WHERE "projectId" = ${projectId}::uuid LIMIT ${rows + 1}) AS e`);
    return found[0]?.more ?? false;
  },
});

/** Emails that were sent or bounced, by the time of either, in three windows. */
export const readCounts = (db: Db, projectId: string): Promise<Windows<Counts>> =>
  emailFigures(db, projectId, 'windows', async () => {
    const rows = await db.$queryRaw<({ name: keyof Windows<Counts> } & Counts)[]>(Prisma.sql`
WITH fact AS (
  SELECT coalesce(e."sentAt", e."bouncedAt") AS at, e."bouncedAt", e."complainedAt" FROM "Email" e
  WHERE e."projectId" = ${projectId}::uuid AND e."sourceType" NOT IN ('TEST', 'SYSTEM')
    AND (e."sentAt" IS NOT NULL OR e."bouncedAt" IS NOT NULL) AND e."to" NOT LIKE ${simulator}
)
SELECT w."name", count(f.at)::int AS "total", count(f."bouncedAt")::int AS "bounces", count(f."complainedAt")::int AS "complaints"
FROM (VALUES ('twentyFourHour', now() - interval '24 hours'), ('sevenDay', now() - interval '7 days'), ('allTime', '-infinity'))
  AS w("name", "since")
LEFT JOIN fact f ON f.at > w."since"
GROUP BY w."name"`);
    const none: Counts = { total: 0, bounces: 0, complaints: 0 };
    const windowOf = (name: keyof Windows<Counts>): Counts => {
      const row = rows.find((each) => each.name === name);
      return row ? { total: row.total, bounces: row.bounces, complaints: row.complaints } : none;
    };
    return {
      twentyFourHour: { ...windowOf('twentyFourHour') },
      sevenDay: { ...windowOf('sevenDay') },
      allTime: { ...windowOf('allTime') },
    };
  });

export interface ProjectStanding {
  disabled: boolean;
  disabledReason: DisabledReason | null;
  isNew: boolean;
  suspensions: { reason: DisabledReason; at: Date; liftedAt: Date | null }[];
}

const shownSuspensions = 10;

export async function readStanding(db: Db, projectId: string): Promise<ProjectStanding | null> {
  const [project, suspensions] = await Promise.all([
    db.project.findUnique({
      where: { id: projectId },
      select: { disabled: true, disabledReason: true, createdAt: true },
    }),
    db.suspension.findMany({
      where: { projectId },
      orderBy: { at: 'desc' },
      take: shownSuspensions,
      select: { reason: true, at: true, liftedAt: true },
    }),
  ]);
  if (!project) return null;
  const { createdAt, ...state } = project;
  return { ...state, isNew: Date.now() - createdAt.getTime() < newProjectDays * 86_400_000, suspensions };
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
