import { type Db, Prisma } from '../../base/db/index.ts';
import type { ProjectState } from '../../base/kernel/index.ts';

/** A job that writes a document in chunks. */
export interface ExportJob<Request, Progress> {
  id: string;
  projectId: string;
  state: 'waiting' | 'active' | 'completed' | 'failed';
  progress: number;
  /** what was asked for */
  input: Request;
  /** what has been written, and where it goes on */
  result: Progress | null;
  failedReason: string | null;
  createdAt: Date;
  completedAt: Date | null;
}

const columns = Prisma.sql`"id", "projectId", "state", "progress", "input", "result", "failedReason", "createdAt", "completedAt"`;

/** The queries of the export jobs of one kind. */
export function exportJobs<Request extends object, Progress extends object>(kind: string) {
  type Row = ExportJob<Request, Progress>;
  const isOpen = Prisma.sql`"kind" = ${kind} AND "state" IN ('waiting', 'active')`;
  return {
    async insert(db: Db, job: { id: string; projectId: string; input: Request }): Promise<Row> {
      const [row] = await db.$queryRaw<Row[]>`
        INSERT INTO "Job" ("id", "projectId", "kind", "input")
        VALUES (${job.id}::uuid, ${job.projectId}::uuid, ${kind}, ${JSON.stringify(job.input)}::jsonb) RETURNING ${columns}`;
      if (!row) throw new Error('the insert of an export gave no row');
      return row;
    },

    async find(db: Db, projectId: string, id: string): Promise<Row | null> {
      const [row] = await db.$queryRaw<Row[]>`
        SELECT ${columns} FROM "Job" WHERE "id" = ${id}::uuid AND "projectId" = ${projectId}::uuid AND "kind" = ${kind}`;
      return row ?? null;
    },

    /** An export that has not ended, with its project; null when there is nothing to do. */
    async findOpen(db: Db, id: string): Promise<{ job: Row; project: ProjectState } | null> {
      const [job] = await db.$queryRaw<Row[]>`
        SELECT ${columns} FROM "Job" WHERE "id" = ${id}::uuid AND ${isOpen}`;
      if (!job) return null;
      const project = await db.project.findUnique({
        where: { id: job.projectId },
        select: {
          id: true,
          name: true,
          disabled: true,
          language: true,
          timeZone: true,
          tracking: true,
          definesFields: true,
        },
      });
      return project && { job, project };
    },

    /** The same under a lock: a concurrent worker waits for the chunk and then sees it. */
    async lockOpen(db: Db, id: string): Promise<Row | null> {
      const [row] = await db.$queryRaw<Row[]>`
        SELECT ${columns} FROM "Job" WHERE "id" = ${id}::uuid AND ${isOpen} FOR UPDATE`;
      return row ?? null;
    },

    async save(db: Db, id: string, progress: number, result: Progress, hasEnded: boolean): Promise<void> {
      await db.job.update({
        where: { id },
        data: {
          state: hasEnded ? 'completed' : 'active',
          progress,
          result: { ...result },
          lostRuns: 0,
          completedAt: hasEnded ? new Date() : null,
        },
      });
    },

    /** Fails an export that has not ended, and removes what has been written. */
    async fail(db: Db, id: string, failedReason: string): Promise<void> {
      const failed = await db.job.updateMany({
        where: { id, kind, state: { in: ['waiting', 'active'] } },
        data: { state: 'failed', failedReason, completedAt: new Date() },
      });
      if (failed.count > 0) await db.exportChunk.deleteMany({ where: { jobId: id } });
    },

    /** Exports that have been open for longer than a signal takes, oldest first. */
    async findNeglected(db: Db, olderThanSeconds: number, limit: number): Promise<string[]> {
      const rows = await db.$queryRaw<{ id: string }[]>`
        SELECT "id" FROM "Job"
        WHERE ${isOpen} AND "createdAt" < now() - ${olderThanSeconds}::int * interval '1 second'
        ORDER BY "createdAt" LIMIT ${limit}::int`;
      return rows.map(({ id }) => id);
    },
  };
}

export const insertChunk = async (db: Db, jobId: string, n: number, bytes: Buffer): Promise<void> => {
  await db.$executeRaw`
    INSERT INTO "ExportChunk" ("jobId", "n", "bytes", "projectId")
    SELECT "id", ${n}::int, ${bytes}::bytea, "projectId" FROM "Job" WHERE "id" = ${jobId}::uuid`;
};

export async function readChunk(db: Db, jobId: string, n: number): Promise<Buffer | null> {
  const row = await db.exportChunk.findUnique({ where: { jobId_n: { jobId, n } }, select: { bytes: true } });
  return row ? Buffer.from(row.bytes) : null;
}
