import { type Context, projectIdOf } from '../kernel/index.ts';
import { documentNotFound } from './delete-document.ts';
import { documentId } from './documents.schema.ts';
import { findDocuments } from './documents.store.ts';

/**
 * The texts of the persisted documents that a request names. Whoever may open GraphQL may read them: the door has
 * checked that.
 *
 * @throws AppError RESOURCE_NOT_FOUND for an id that the project does not have
 */
export async function readDocuments(ctx: Context, ids: readonly string[]): Promise<(id: string) => string> {
  const wellFormed = ids.filter((id) => documentId.safeParse(id).success);
  const found = wellFormed.length > 0 ? await findDocuments(ctx.db, projectIdOf(ctx), wellFormed) : [];
  const texts = new Map(found.map(({ id, document }) => [id, document]));
  return (id) => {
    const text = texts.get(id);
    if (text === undefined) throw documentNotFound();
    return text;
  };
}
