export { assertTemplateSyntax, type TemplateSource } from './assert-template-syntax.ts';
export { createTemplate } from './create-template.ts';
export { getTemplate } from './get-template.ts';
export { getTemplates } from './get-templates.ts';
export { listTemplates } from './list-templates.ts';
export { findTemplate, type TemplateRow } from './templates.store.ts';
