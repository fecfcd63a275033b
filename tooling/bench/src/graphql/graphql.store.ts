import { newId } from '@postrider/core/base/lib';
import type { Pool } from 'pg';

/** Puts all contacts of a project into a static segment and through a workflow twice. @returns the ids of both */
export async function insertRelations(
  db: Pool,
  projectId: string,
): Promise<{ segmentId: string; workflowId: string }> {
  const [segmentId, workflowId] = [newId(), newId()];
  await db.query(
    `INSERT INTO "Segment" ("id", "projectId", "name", "slug", "type") VALUES ($1, $2, 'Members', 'members', 'STATIC')`,
    [segmentId, projectId],
  );
  await db.query(
    `INSERT INTO "SegmentMembership" ("projectId", "segmentId", "contactId") SELECT "projectId", $1, "id" FROM "Contact" WHERE "projectId" = $2`,
    [segmentId, projectId],
  );
  await db.query(
    `INSERT INTO "Workflow" ("id", "projectId", "name", "updatedAt") VALUES ($1, $2, 'Welcome', now())`,
    [workflowId, projectId],
  );
  await db.query(
    `INSERT INTO "WorkflowExecution" ("id", "projectId", "workflowId", "contactId", "status", "updatedAt")
     SELECT uuid7(), "projectId", $1, "id", 'COMPLETED', now() FROM "Contact", generate_series(1, 2) WHERE "projectId" = $2`,
    [workflowId, projectId],
  );
  await db.query('ANALYZE');
  return { segmentId, workflowId };
}
