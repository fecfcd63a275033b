import type { Db } from '../../base/db/index.ts';
import { findReferences, type References } from '../../base/references/index.ts';

/**
 * The segments, open campaigns and workflows that use an event. Filters refer to email activity by field
 * (`email.open`), which is the event of that name.
 */
export async function findEventReferences(db: Db, projectId: string, name: string): Promise<References> {
  const refs = name.startsWith('email.') ? [`event.${name}`, name] : [`event.${name}`];
  const found = await Promise.all(refs.map((ref) => findReferences(db, projectId, ref)));
  return {
    segments: distinct(found.flatMap(({ segments }) => segments)),
    campaigns: distinct(found.flatMap(({ campaigns }) => campaigns)),
    workflows: distinct(found.flatMap(({ workflows }) => workflows)),
  };
}

const distinct = <Item extends { id: string }>(items: Item[]): Item[] => [
  ...new Map(items.map((item) => [item.id, item])).values(),
];

export const isInUse = ({ segments, campaigns, workflows }: References): boolean =>
  segments.length + campaigns.length + workflows.length > 0;
