import { createTemplate, getTemplate, listTemplates } from '@postrider/core/templates';
import { mutationField, recordField } from './fields.ts';
import { pageField } from './lists.ts';
import { objectFromZod } from './object-from-zod.ts';

export const Template = objectFromZod(getTemplate.output, 'Template');

recordField('template', getTemplate, Template);
pageField('templates', listTemplates, Template);
mutationField('createTemplate', createTemplate, Template);
