import { getUsageOfTemplates } from '@postrider/core/templates';
import { Template, TemplateUsage } from '../templates.ts';
import { attachedField } from './relation-fields.ts';

attachedField(
  Template,
  'usage',
  TemplateUsage,
  getUsageOfTemplates,
  'usage',
  'Where it is used, and how many emails were sent from it; null if it was deleted meanwhile.',
);
