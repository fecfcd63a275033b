import { AppError, type Context, projectIdOf } from '../kernel/index.ts';
import { findTemplate } from '../templates/index.ts';

/** @throws AppError TEMPLATE_NOT_FOUND when the project has no such template */
export async function requireTemplate(ctx: Context, templateId: string | null | undefined): Promise<void> {
  if (!templateId) return;
  if (await findTemplate(ctx.db, projectIdOf(ctx), templateId)) return;
  throw new AppError('TEMPLATE_NOT_FOUND', 'Template not found');
}
