import { type Context, conflict, projectIdOf, suggestions } from '../../base/kernel/index.ts';
import { findOtherWithAlias } from './templates.store.ts';

/**
 * Refuses the alias of another template. Until the transaction ends, no other template gets it.
 *
 * @param id of the template that gets it; null for a new one
 * @throws AppError CONFLICT whose details name the other template
 */
export async function assertFreeAlias(
  ctx: Context,
  alias: string | null | undefined,
  id: string | null,
): Promise<void> {
  if (alias === null || alias === undefined) return;
  const templateId = await findOtherWithAlias(ctx.db, projectIdOf(ctx), { alias, id });
  if (templateId === null) return;
  throw conflict(`Another template has the alias ${alias}`, {
    details: { templateId },
    suggestion: suggestions.CONFLICT.aliasTaken,
  });
}
