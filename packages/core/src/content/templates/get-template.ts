import { AppError, projectIdOf, query } from '../../base/kernel/index.ts';
import { presentDesign } from './design.schema.ts';
import { templateIdInput, templateShape } from './templates.schema.ts';
import { findDesignedTemplate } from './templates.store.ts';

export const templateNotFound = (): AppError => new AppError('TEMPLATE_NOT_FOUND', 'Template not found');

export const getTemplate = query({
  name: 'templates.get',
  summary: 'Returns one template',
  permission: 'data:read',
  errors: ['TEMPLATE_NOT_FOUND'],
  input: templateIdInput,
  output: templateShape,
  async handler(ctx, { id }) {
    const template = await findDesignedTemplate(ctx.db, projectIdOf(ctx), id);
    if (!template) throw templateNotFound();
    return presentDesign(template);
  },
});
