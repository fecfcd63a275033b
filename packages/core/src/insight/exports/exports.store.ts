import type { FilterTree } from '../../audience/segments/filters.rules.ts';
import { type Db, Prisma } from '../../base/db/index.ts';
import type { ProjectState } from '../../base/kernel/index.ts';
import type { ExportType } from './exports.schema.ts';

const kind = 'export';

/** What was asked for; times as ISO 8601. */
export interface ExportRequest {
  type: ExportType;
  filter?: FilterTree;
  segmentId?: string;
  campaignId?: string;
  templateId?: string;
  tag?: string;
  search?: string;
  text?: string;
  status?: string;
  sourceType?: string;
  reason?: string;
  eventName?: string;
  contact?: string;
  from?: string;
  to?: string;
}

/** What has been written, and the position to continue from. */
export interface ExportProgress {
  columns: string[];
  rows: number;
  chunks: number;
  /** how many records the list had at the start; `seen` of them have been read */
  total: number;
  seen: number;
  cursor: string | null;
}

export interface ExportRow {
  id: string;
  projectId: string;
  state: 'waiting' | 'active' | 'completed' | 'failed';
  progress: number;
  input: ExportRequest;
  result: ExportProgress | null;
  failedReason: string | null;
  createdAt: Date;
  completedAt: Date | null;
}

const columns = Prisma.sql`"id", "projectId", "state", "progress", "input", "result", "failedReason", "createdAt", "completedAt"`;
const isOpen = Prisma.sql`"kind" = ${kind} AND "state" IN ('waiting', 'active')`;

export async function insertExport(
  db: Db,
  job: { id: string; projectId: string; input: ExportRequest },
): Promise<ExportRow> {
  const [row] = await db.$queryRaw<ExportRow[]>`
    INSERT INTO "Job" ("id", "projectId", "kind", "input")
    VALUES (${job.id}::uuid, ${job.projectId}::uuid, ${kind}, ${JSON.stringify(job.input)}::jsonb) RETURNING ${columns}`;
  if (!row) throw new Error('the insert of an export gave no row');
  return row;
}

export async function findExport(db: Db, projectId: string, id: string): Promise<ExportRow | null> {
  const [row] = await db.$queryRaw<ExportRow[]>`
    SELECT ${columns} FROM "Job" WHERE "id" = ${id}::uuid AND "projectId" = ${projectId}::uuid AND "kind" = ${kind}`;
  return row ?? null;
}

/** An export that has not ended, with its project; null when there is nothing to do. */
export async function findOpenExport(
  db: Db,
  id: string,
): Promise<{ job: ExportRow; project: ProjectState } | null> {
  const [job] = await db.$queryRaw<ExportRow[]>`
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
}

/** The same under a lock: a concurrent worker waits for the chunk and then sees it. */
export async function lockOpenExport(db: Db, id: string): Promise<ExportRow | null> {
  const [row] = await db.$queryRaw<ExportRow[]>`
    SELECT ${columns} FROM "Job" WHERE "id" = ${id}::uuid AND ${isOpen} FOR UPDATE`;
  return row ?? null;
}

export async function saveExport(
  db: Db,
  id: string,
  progress: number,
  result: ExportProgress,
  hasEnded: boolean,
): Promise<void> {
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
}

/** Fails an export that has not ended, and removes what has been written. */
export async function failExport(db: Db, id: string, failedReason: string): Promise<void> {
  const failed = await db.job.updateMany({
    where: { id, kind, state: { in: ['waiting', 'active'] } },
    data: { state: 'failed', failedReason, completedAt: new Date() },
  });
  if (failed.count > 0) await db.exportChunk.deleteMany({ where: { jobId: id } });
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

/** Exports that have been open for longer than a signal takes, oldest first. */
export async function findNeglectedExports(
  db: Db,
  olderThanSeconds: number,
  limit: number,
): Promise<string[]> {
  const rows = await db.$queryRaw<{ id: string }[]>`
    SELECT "id" FROM "Job"
    WHERE ${isOpen} AND "createdAt" < now() - ${olderThanSeconds}::int * interval '1 second'
    ORDER BY "createdAt" LIMIT ${limit}::int`;
  return rows.map(({ id }) => id);
}
