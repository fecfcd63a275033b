import { findContactsByName } from '../../audience/contacts/index.ts';
import { projectIdOf, query } from '../../base/kernel/index.ts';
import { searchInput, searchResults } from './search.schema.ts';
import { searchRecords as findRecords, mostOfAType } from './search.store.ts';

export const searchRecords = query({
  name: 'search.records',
  summary: 'Finds contacts, campaigns, templates, workflows, segments and emails of a project by one text',
  permission: 'data:read',
  input: searchInput,
  output: searchResults,
  async handler(ctx, { text }) {
    const projectId = projectIdOf(ctx);
    const named = await ctx.services.database.prisma.$transaction((db) =>
      findContactsByName(db, projectId, text, mostOfAType),
    );
    return { results: await findRecords(ctx.db, projectId, { text, named }) };
  },
});
