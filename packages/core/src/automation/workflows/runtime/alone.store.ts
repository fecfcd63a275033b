import type { Pool } from 'pg';
import { Prisma, prepared } from '../../../base/db/index.ts';

interface Postponed {
  projectId: string;
  id: string;
  inMs: number;
}

const postpone = prepared<Postponed>(
  'postpone-execution',
  ({ projectId, id, inMs }) => Prisma.sql`
  UPDATE "WorkflowExecution" SET "dueAt" = now() + ${inMs}::int * interval '1 millisecond', "updatedAt" = now()
  WHERE "id" = ${id}::uuid AND "dueAt" IS NOT NULL AND "projectId" IS NOT DISTINCT FROM ${projectId}::uuid`,
);

/** Leaves one execution as it is, for a while. */
export async function postponeAlone(pool: Pool, values: Postponed): Promise<void> {
  await pool.query(postpone(values));
}
