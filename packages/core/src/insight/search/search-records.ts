import { projectIdOf, query } from '../../base/kernel/index.ts';
import { searchInput, searchResults } from './search.schema.ts';
import { searchRecords as findRecords } from './search.store.ts';

export const searchRecords = query({
  name: 'search.records',
  summary: 'Finds contacts, campaigns, templates, workflows, segments and emails of a project by one text',
  permission: 'data:read',
  input: searchInput,
  output: searchResults,
  handler: async (ctx, { text }) => ({ results: await findRecords(ctx.db, projectIdOf(ctx), text) }),
});
