import {
  createTemplate,
  deleteTemplate,
  duplicateTemplate,
  getTemplate,
  getTemplateUsage,
  getTemplateVersion,
  listTemplates,
  listTemplateVersions,
  restoreTemplateVersion,
  updateTemplate,
} from '@postrider/core/content/templates';
import { asMutation, asQuery, t } from './trpc.ts';

export const templatesRouter = t.router({
  list: asQuery(listTemplates),
  get: asQuery(getTemplate),
  usage: asQuery(getTemplateUsage),
  create: asMutation(createTemplate),
  update: asMutation(updateTemplate),
  delete: asMutation(deleteTemplate),
  duplicate: asMutation(duplicateTemplate),
  versions: asQuery(listTemplateVersions),
  version: asQuery(getTemplateVersion),
  restoreVersion: asMutation(restoreTemplateVersion),
});
