import type { Db } from '../../base/db/index.ts';

export interface NamedKey {
  key: string;
  name: string;
  workflow: { id: string; name: string } | null;
}

export const findTemplateNames = (db: Db, projectId: string, ids: readonly string[]): Promise<NamedKey[]> =>
  db.$queryRaw<NamedKey[]>`
    SELECT "id" AS "key", "name", NULL AS "workflow" FROM "Template"
    WHERE "projectId" = ${projectId}::uuid AND "id" = ANY(${[...ids]}::uuid[])`;

export const findStepNames = (db: Db, projectId: string, ids: readonly string[]): Promise<NamedKey[]> =>
  db.$queryRaw<NamedKey[]>`
    SELECT s."id" AS "key", s."name", jsonb_build_object('id', w."id", 'name', w."name") AS "workflow"
    FROM "WorkflowStep" s JOIN "Workflow" w ON w."id" = s."workflowId"
    WHERE s."projectId" = ${projectId}::uuid AND s."id" = ANY(${[...ids]}::uuid[])`;

export async function findStepIds(db: Db, projectId: string, workflowId: string): Promise<string[]> {
  const steps = await db.workflowStep.findMany({ where: { projectId, workflowId }, select: { id: true } });
  return steps.map(({ id }) => id);
}
