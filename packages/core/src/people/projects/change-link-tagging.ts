import type { SqlDb } from '../../base/db/index.ts';
import { invalid } from '../../base/kernel/index.ts';
import { type LinkTagging, type LinkTaggingChange, linkTaggingOf } from './link-tagging.schema.ts';
import { lockLinkTagging, saveLinkTagging } from './link-tagging.store.ts';

/**
 * Merges a change into what a project says about the tags of links. Its row stays locked.
 *
 * @throws AppError VALIDATION_ERROR when it would be enabled without hosts
 */
export async function changeLinkTagging(
  db: SqlDb,
  projectId: string,
  change: LinkTaggingChange,
): Promise<void> {
  const before = await lockLinkTagging(db, projectId);
  const given = Object.entries(change).filter(([, value]) => value !== undefined);
  const merged = Object.entries({ ...before, ...Object.fromEntries(given) });
  const after: LinkTagging = linkTaggingOf(Object.fromEntries(merged.filter(([, value]) => value !== null)));
  if (after.enabled && after.hosts.length === 0)
    throw invalid([
      {
        field: 'utm.hosts',
        code: 'too_small',
        message: 'Tagging needs at least one host whose links it is for',
      },
    ]);
  await saveLinkTagging(db, projectId, after);
}
