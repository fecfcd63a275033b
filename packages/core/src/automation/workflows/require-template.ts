import { AppError, assertSenderAllowed, type Context, projectIdOf } from '../../base/kernel/index.ts';
import { findTemplate } from '../../content/templates/index.ts';

/**
 * The template that a step is given. A key that is limited to domains may only name one that it could send itself (behaviour B11.2).
 *
 * @throws AppError TEMPLATE_NOT_FOUND when the project has no such template; FORBIDDEN naming the domain of its sender
 */
export async function requireTemplate(ctx: Context, templateId: string | null | undefined): Promise<void> {
  if (!templateId) return;
  const template = await findTemplate(ctx.db, projectIdOf(ctx), templateId);
  if (!template) throw new AppError('TEMPLATE_NOT_FOUND', 'Template not found');
  assertSenderAllowed(ctx.actor, template.from);
}

/**
 * Refuses to have a workflow send from domains that are not among those of the caller's key: to enable it, or to start it.
 *
 * @throws AppError FORBIDDEN naming the domain
 */
export async function assertMaySend(
  ctx: Context,
  steps: readonly { templateId: string | null }[],
): Promise<void> {
  if (ctx.actor.type !== 'key' || !ctx.actor.named?.domains) return;
  for (const { templateId } of steps) {
    const template = templateId === null ? null : await findTemplate(ctx.db, projectIdOf(ctx), templateId);
    if (template) assertSenderAllowed(ctx.actor, template.from);
  }
}
