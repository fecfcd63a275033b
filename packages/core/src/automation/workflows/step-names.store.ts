import type { Db, Prisma } from '../../base/db/index.ts';
import { summariesOf } from './versions/versions.store.ts';

/** The names and types of steps: of those that the live definition does not have, as the newest version that has them says. */
export async function stepNames(
  db: Db,
  projectId: string,
  ids: readonly string[],
): Promise<Map<string, { id: string; name: string; type: StepType }>> {
  const rows = await db.workflowStep.findMany({
    where: { projectId, id: { in: [...ids] } },
    select: { id: true, name: true, type: true },
  });
  const live = new Set(rows.map(({ id }) => id));
  const gone = await summariesOf(
    db,
    projectId,
    ids.filter((id) => !live.has(id)),
  );
  return new Map([
    ...rows.map((row) => [row.id, row] as const),
    ...[...gone].map(([id, { name, type }]) => [id, { id, name, type }] as const),
  ]);
}

type StepType = Prisma.WorkflowStepGetPayload<object>['type'];
