import { emptyObject, projectIdOf, query } from '../kernel/index.ts';
import { persistedDocuments } from './documents.schema.ts';
import { listDocumentRows } from './documents.store.ts';

export const listDocuments = query({
  name: 'documents.list',
  summary: 'Lists the persisted GraphQL documents, newest first',
  permission: 'data:read',
  input: emptyObject,
  output: persistedDocuments,
  handler: (ctx) => listDocumentRows(ctx.db, projectIdOf(ctx)),
});
