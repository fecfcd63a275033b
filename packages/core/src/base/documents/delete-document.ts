import { AppError, command, emptyObject, projectIdOf } from '../kernel/index.ts';
import { documentIdInput } from './documents.schema.ts';
import { removeDocument } from './documents.store.ts';

export const deleteDocument = command({
  name: 'documents.delete',
  summary: 'Deletes a persisted GraphQL document',
  permission: 'data:write',
  risk: 'closed',
  errors: ['RESOURCE_NOT_FOUND'],
  input: documentIdInput,
  output: emptyObject,
  async handler(ctx, { id }) {
    if (!(await removeDocument(ctx.db, projectIdOf(ctx), id))) throw documentNotFound();
    ctx.audit({ targetType: 'document', targetId: id });
    return {};
  },
});

export const documentNotFound = (): AppError =>
  new AppError('RESOURCE_NOT_FOUND', 'Persisted document not found', {
    suggestion: 'Store the document first, with POST /graphql/persisted',
  });
