import { type Context, projectIdOf } from '../../base/kernel/index.ts';
import { longestSourceId } from './source-refs.schema.ts';
import { readTargets, type SourceRefKey } from './source-refs.store.ts';

/** The records that ids of another service mean here; one that means none is left out. */
export async function findSourceTargets(
  ctx: Context,
  key: Pick<SourceRefKey, 'source' | 'kind'>,
  ids: Iterable<string>,
): Promise<ReadonlyMap<string, string>> {
  // PostgreSQL stores no U+0000, so no reference has it.
  const possible = [...new Set(ids)].filter((id) => id.length <= longestSourceId && !id.includes('\0'));
  if (possible.length === 0) return new Map();
  const rows = await readTargets(ctx.db, projectIdOf(ctx), key, possible);
  return new Map(rows.map(({ sourceId, id }) => [sourceId, id]));
}
