import { createTemplate, getTemplate, listTemplates } from '@postrider/core/templates';
import { asMutation, asQuery, t } from './trpc.ts';

export const templatesRouter = t.router({
  list: asQuery(listTemplates),
  get: asQuery(getTemplate),
  create: asMutation(createTemplate),
});
