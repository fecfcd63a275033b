import { z } from 'zod';
import { idList, projectIdOf, query } from '../../base/kernel/index.ts';
import { templateShape } from './templates.schema.ts';
import { findTemplates } from './templates.store.ts';

/** Loads the templates referenced by many records in one query; the doors' batch loaders use it. */
export const getTemplates = query({
  name: 'templates.getMany',
  summary: 'Returns templates by their ids',
  permission: 'data:read',
  internal: true,
  input: idList,
  output: z.array(templateShape),
  handler: (ctx, { ids }) => findTemplates(ctx.db, projectIdOf(ctx), ids),
});
