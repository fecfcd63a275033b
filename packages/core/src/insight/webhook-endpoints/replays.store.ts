import { type Db, Prisma } from '../../base/db/index.ts';
import { kindsWithoutEngine } from '../../base/kernel/index.ts';

/** The kind of a job that replays a range of deliveries. */
const kind = kindsWithoutEngine.replays;

export type StoredRange = {
  endpointId: string;
  from: string;
  to: string;
  types: string[] | null;
  failedOnly: boolean;
};

/** The counts of a replay, and while it runs the position to continue from. */
export type ReplayProgress = {
  matched: number;
  replayed: number;
  after: { value: string; id: string } | null;
};

export interface ReplayRow {
  id: string;
  projectId: string;
  state: 'waiting' | 'active' | 'completed' | 'failed';
  progress: number;
  input: StoredRange;
  result: ReplayProgress | null;
  failedReason: string | null;
  createdAt: Date;
  completedAt: Date | null;
}

const columns = Prisma.sql`"id", "projectId", "state", "progress", "input", "result", "failedReason", "createdAt", "completedAt"`;

export async function insertReplay(
  db: Db,
  job: { id: string; projectId: string; input: StoredRange; result: ReplayProgress },
): Promise<{ createdAt: Date }> {
  return db.job.create({ data: { ...job, kind }, select: { createdAt: true } });
}

export async function findReplay(
  db: Db,
  { projectId, endpointId, id }: { projectId: string; endpointId: string; id: string },
): Promise<ReplayRow | null> {
  const [row] = await db.$queryRaw<ReplayRow[]>`
    SELECT ${columns} FROM "Job" WHERE "id" = ${id}::uuid AND "projectId" = ${projectId}::uuid AND "kind" = ${kind}
      AND "input" ->> 'endpointId' = ${endpointId}`;
  return row ?? null;
}

/** The oldest replay that has not ended and that no other process holds, under a lock. */
export async function lockOpenReplay(db: Db): Promise<ReplayRow | null> {
  const [row] = await db.$queryRaw<ReplayRow[]>`
    SELECT ${columns} FROM "Job" WHERE "kind" = ${kind} AND "state" IN ('waiting', 'active')
    ORDER BY "createdAt" LIMIT 1 FOR UPDATE SKIP LOCKED`;
  return row ?? null;
}

export async function saveReplay(
  db: Db,
  id: string,
  { progress, result }: { progress: number; result: ReplayProgress },
): Promise<void> {
  const ended = progress === 100;
  await db.job.update({
    where: { id },
    data: { state: ended ? 'completed' : 'active', progress, result, completedAt: ended ? new Date() : null },
  });
}
