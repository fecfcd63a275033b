import { createHash } from 'node:crypto';
import { command, conflict, projectIdOf, suggestions } from '../kernel/index.ts';
import { maxDocuments, persistDocumentsInput, persistedDocuments } from './documents.schema.ts';
import { countDocuments, findDocuments, insertDocuments } from './documents.store.ts';

const idOf = (document: string): string => `sha256:${createHash('sha256').update(document).digest('hex')}`;

export const persistDocuments = command({
  name: 'documents.persist',
  summary: 'Stores GraphQL documents, so that requests may name them instead of sending them',
  permission: 'data:write',
  risk: 'closed',
  errors: ['CONFLICT'],
  input: persistDocumentsInput,
  output: persistedDocuments,
  async handler(ctx, { documents }) {
    const projectId = projectIdOf(ctx);
    const given = [...new Set(documents)].map((document) => ({ id: idOf(document), document }));
    const ids = given.map(({ id }) => id);
    const count = await countDocuments(ctx.db, projectId);
    const known = new Set((await findDocuments(ctx.db, projectId, ids)).map(({ id }) => id));
    const added = given.filter(({ id }) => !known.has(id));
    if (count + added.length > maxDocuments) {
      throw conflict(`A project can have at most ${maxDocuments} persisted documents`, {
        suggestion: suggestions.CONFLICT.mostDocuments,
      });
    }
    await insertDocuments(ctx.db, projectId, added);
    for (const { id } of added) ctx.audit({ targetType: 'document', targetId: id });
    const stored = new Map((await findDocuments(ctx.db, projectId, ids)).map((each) => [each.id, each]));
    return ids.flatMap((id) => stored.get(id) ?? []);
  },
});
