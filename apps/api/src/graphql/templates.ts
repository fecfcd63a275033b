import {
  createTemplate,
  deleteTemplate,
  duplicateTemplate,
  getTemplate,
  getTemplateUsage,
  listTemplates,
  updateTemplate,
} from '@postrider/core/templates';
import { builder } from './builder.ts';
import { deletionField, mutationField, recordField } from './fields.ts';
import { pageField } from './lists.ts';
import { objectFromZod } from './object-from-zod.ts';

export const Template = objectFromZod(getTemplate.output, 'Template');
const TemplateUsage = objectFromZod(getTemplateUsage.output, 'TemplateUsage');

recordField('template', getTemplate, Template);
pageField('templates', listTemplates, Template);
mutationField('createTemplate', createTemplate, Template);
mutationField('updateTemplate', updateTemplate, Template);
mutationField('duplicateTemplate', duplicateTemplate, Template);
deletionField('deleteTemplate', deleteTemplate);

builder.queryField('templateUsage', (t) =>
  t.field({
    type: TemplateUsage,
    description: getTemplateUsage.summary,
    extensions: { operation: getTemplateUsage.name },
    args: { id: t.arg.id({ required: true }) },
    resolve: (_root, { id }, { ctx }) => getTemplateUsage.run(ctx, { id }),
  }),
);
