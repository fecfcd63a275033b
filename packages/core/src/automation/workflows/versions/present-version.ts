import type { Db, Prisma } from '../../../base/db/index.ts';
import { cachedFigure } from '../../../base/figures/index.ts';
import { presentActor } from '../../../people/audit/index.ts';
import { hasManyExecutions } from '../counts.store.ts';
import type { WorkflowRow } from '../workflows.store.ts';
import { countByVersion, type ListedVersionRow, type VersionCount } from './versions.store.ts';

const maxAgeSeconds = 60;

/** Executions by version; of a workflow with many of them at most a minute old. */
export async function countsOf(db: Db, workflow: WorkflowRow): Promise<Map<number, VersionCount>> {
  const { projectId, id } = workflow;
  const compute = async () =>
    (await countByVersion(db, workflow)) as (VersionCount & Prisma.InputJsonObject)[];
  const counts = (await hasManyExecutions(db, projectId, id))
    ? await cachedFigure(db, { projectId, key: `workflows.versions.${id}`, maxAgeSeconds }, compute)
    : await compute();
  return new Map(counts.map((row) => [row.version, row]));
}

/** A version as callers see it. */
export function presentVersion<Row extends ListedVersionRow>(
  workflow: WorkflowRow,
  { authorType, authorId, authorEmail, keyName, ...row }: Row,
  counts: ReadonlyMap<number, VersionCount>,
) {
  const { entered = 0, active = 0 } = counts.get(row.version) ?? {};
  const author = presentActor({
    actorType: authorType,
    actorId: authorId,
    actorEmail: authorEmail,
    keyId: null,
    keyName,
  });
  return { ...row, author, entered, active, live: row.version === workflow.version };
}
