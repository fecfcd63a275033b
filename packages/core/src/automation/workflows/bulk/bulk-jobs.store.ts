import { type Db, Prisma } from '../../../base/db/index.ts';

/** Where a job is that walks over executions in the order of a time and their ids. */
export interface BulkPosition {
  /** as PostgreSQL writes it */
  at: string;
  id: string;
}

interface Walk {
  workflowId: string;
  /** executions to look at, when it was called */
  total: number;
}

export interface CancelInput extends Walk {
  /** the moment of the call: executions that began later are left alone */
  until: string;
  withdrawEmails: boolean;
  /** executions that were decided with the call */
  ids?: string[];
  stepId?: string;
  version?: number;
  segmentId?: string;
  /** the tree is stored apart from the parameters, because it may contain addresses */
  hasFilter?: boolean;
}

export interface RetryInput extends Walk {
  /** executions that failed in this time; its end is the moment of the call at the latest */
  from: string | null;
  until: string;
  stepId?: string;
}

/** The workflow is deleted already. */
export type RemoveInput = Pick<Walk, 'workflowId'>;

export interface CancelProgress {
  matched: number;
  cancelled: number;
  seen: number;
  after: BulkPosition | null;
}

export interface RetryProgress {
  matched: number;
  retried: number;
  blocked: { active: number; gone: number };
  seen: number;
  after: BulkPosition | null;
}

interface Job {
  id: string;
  projectId: string;
}

/** A job that changes many executions of a workflow. */
export type BulkJob =
  | (Job & { kind: 'cancel-executions'; input: CancelInput; result: CancelProgress | null })
  | (Job & { kind: 'retry-executions'; input: RetryInput; result: RetryProgress | null })
  | (Job & { kind: 'remove-executions'; input: RemoveInput; result: null });

type Kind = BulkJob['kind'];
const kinds: Kind[] = ['cancel-executions', 'retry-executions', 'remove-executions'];

const columns = Prisma.sql`"id"::text AS "id", "projectId"::text AS "projectId", "kind", "input", "result"`;
const isOpen = Prisma.sql`"kind" = ANY(${kinds}) AND "state" IN ('waiting', 'active')`;

export type NewBulkJob = { [Each in Kind]: Omit<Extract<BulkJob, { kind: Each }>, 'result'> }[Kind];

export async function insertBulkJob(db: Db, { input, ...job }: NewBulkJob): Promise<void> {
  await db.job.create({ data: { ...job, input: { ...input } as Prisma.InputJsonObject } });
}

/** For processing: the owner of a job that has not ended. */
export async function findOpenBulkJob(db: Db, id: string): Promise<BulkJob | null> {
  const [row] = await db.$queryRaw<
    BulkJob[]
  >`SELECT ${columns} FROM "Job" WHERE "id" = ${id}::uuid AND ${isOpen}`;
  return row ?? null;
}

/** The same under a lock: a concurrent worker waits for the batch and then sees its progress. */
export async function lockOpenBulkJob(db: Db, id: string): Promise<BulkJob | null> {
  const [row] = await db.$queryRaw<BulkJob[]>`
    SELECT ${columns} FROM "Job" WHERE "id" = ${id}::uuid AND ${isOpen} FOR UPDATE`;
  return row ?? null;
}

/** The position is stored with what was done, so that a repeated batch goes on after the last one that was committed. */
export async function saveBulkJob(
  db: Db,
  { id, input }: BulkJob,
  result: (CancelProgress | RetryProgress) | null,
  hasEnded: boolean,
): Promise<void> {
  const total = 'total' in input ? input.total : 0;
  const share = total === 0 ? 0 : Math.min(99, Math.floor(((result?.seen ?? 0) / total) * 100));
  await db.job.update({
    where: { id },
    data: {
      state: hasEnded ? 'completed' : 'active',
      progress: hasEnded ? 100 : share,
      ...(result && { result: { ...result } as unknown as Prisma.InputJsonObject }),
      ...(hasEnded && { completedAt: new Date() }),
    },
  });
}

export async function failBulkJob(db: Db, id: string, failedReason: string): Promise<void> {
  await db.job.update({ where: { id }, data: { state: 'failed', failedReason, completedAt: new Date() } });
}

/** Jobs that have been open for longer than a signal takes, oldest first, for `reconcile`. */
export async function findOpenBulkJobs(db: Db, olderThanSeconds: number, limit: number): Promise<string[]> {
  const rows = await db.$queryRaw<{ id: string }[]>`
    SELECT "id"::text AS "id" FROM "Job" WHERE ${isOpen} AND "createdAt" < now() - ${olderThanSeconds}::int * interval '1 second'
    ORDER BY "createdAt" LIMIT ${limit}::int`;
  return rows.map(({ id }) => id);
}
