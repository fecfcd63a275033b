import type { Db } from '../../../base/db/index.ts';
import { planOf } from '../definitions/plan.rules.ts';
import { type RunStep, readDefinition } from '../definitions/read-definitions.store.ts';
import { summariesOf } from '../versions/versions.store.ts';
import type { FigureScope } from './step-figures.store.ts';

/** A step that figures are about. */
export type FigureStep = Pick<RunStep, 'id' | 'key' | 'name' | 'type'>;

const presented = ({ id, key, name, type }: FigureStep): FigureStep => ({ id, key, name, type });

/**
 * The steps of a version, without one those of the live definition, as they are walked through; then the others with these ids, which other
 * versions have.
 *
 * @returns null when the workflow has no such version
 */
export async function figureSteps(
  db: Db,
  { projectId, workflowId, version }: FigureScope,
  ids: readonly string[],
): Promise<FigureStep[] | null> {
  const lineage = await readDefinition(db, { workflowId, version });
  if (!lineage) return null;
  const steps = planOf(lineage.versions[0]).order.map(presented);
  const present = new Set(steps.map(({ id }) => id));
  const others = await summariesOf(
    db,
    projectId,
    ids.filter((id) => !present.has(id)),
  );
  return [...steps, ...[...others].map(([id, step]) => presented({ id, ...step }))];
}
