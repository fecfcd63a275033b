import { z } from 'zod';
import { idList, projectIdOf, query } from '../kernel/index.ts';
import { templateShape } from './templates.schema.ts';
import { findTemplates } from './templates.store.ts';

/** One look-up for the templates that many records name; doors batch their relations with it. */
export const getTemplates = query({
  name: 'templates.getMany',
  summary: 'Gives templates by their ids',
  permission: 'data:read',
  internal: true,
  input: idList,
  output: z.array(templateShape),
  handler: (ctx, { ids }) => findTemplates(ctx.db, projectIdOf(ctx), ids),
});
