import { type Db, Prisma } from '../../base/db/index.ts';
import type { StepRow } from './workflows.store.ts';

export type UnreadStep = Pick<StepRow, 'id' | 'projectId' | 'updatedAt' | 'type' | 'config'>;

export const findUnreadSteps = (db: Db, limit: number): Promise<UnreadStep[]> => db.$queryRaw`
  SELECT "id", "projectId", "updatedAt", "type", "config" FROM "WorkflowStep" WHERE "textReads" IS NULL LIMIT ${limit}::int`;

/** Of a step that is still what was read. */
export async function writeStepTextReads(
  db: Db,
  { id, projectId, updatedAt }: Pick<StepRow, 'id' | 'projectId' | 'updatedAt'>,
  reads: string[],
): Promise<void> {
  await db.$executeRaw(Prisma.sql`
    UPDATE "WorkflowStep" SET "textReads" = ${reads}::text[]
    WHERE "id" = ${id}::uuid AND "projectId" = ${projectId}::uuid AND "textReads" IS NULL AND "updatedAt" = ${updatedAt}::timestamptz`);
}
