import { pageOf, projectIdOf, query } from '../../base/kernel/index.ts';
import { listTemplatesInput, templatePage } from './templates.schema.ts';
import { searchTemplates } from './templates.store.ts';

export const listTemplates = query({
  name: 'templates.list',
  summary: 'Lists templates',
  permission: 'data:read',
  errors: ['BAD_REQUEST'],
  input: listTemplatesInput,
  output: templatePage,
  async handler(ctx, input) {
    const { rows, total } = await searchTemplates(ctx.db, projectIdOf(ctx), input);
    return pageOf(rows, input.page, input.pageSize, total);
  },
});
