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
import { deletionField, mutationField, queryField, recordField } from './fields.ts';
import { connectionField, pageField } from './lists.ts';
import { objectFromZod } from './object-from-zod.ts';

export const Template = objectFromZod(getTemplate.output);
export const TemplateUsage = objectFromZod(getTemplateUsage.output);

recordField('template', getTemplate, Template);
pageField('templates', listTemplates, Template);
mutationField('createTemplate', createTemplate, Template);
mutationField('updateTemplate', updateTemplate, Template);
mutationField('duplicateTemplate', duplicateTemplate, Template);
deletionField('deleteTemplate', deleteTemplate);
queryField('templateUsage', getTemplateUsage, TemplateUsage);

const ListedVersion = objectFromZod(listTemplateVersions.output.shape.data.element);
connectionField('templateVersions', listTemplateVersions, ListedVersion, ({ version }) => String(version));
queryField('templateVersion', getTemplateVersion, objectFromZod(getTemplateVersion.output));
mutationField('restoreTemplateVersion', restoreTemplateVersion, Template);
