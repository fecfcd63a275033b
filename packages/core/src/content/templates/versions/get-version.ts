import { AppError, type Context, projectIdOf, query } from '../../../base/kernel/index.ts';
import { templateNotFound } from '../get-template.ts';
import { findTemplate, idOfTemplate } from '../templates.store.ts';
import { presentVersion } from './present-version.ts';
import { templateVersion, versionInput } from './versions.schema.ts';
import { findVersion, type VersionRow } from './versions.store.ts';

/** @throws AppError TEMPLATE_NOT_FOUND or RESOURCE_NOT_FOUND */
export async function requireVersion(
  ctx: Context,
  { id: reference, version: number }: { id: string; version: number },
): Promise<VersionRow> {
  const projectId = projectIdOf(ctx);
  const templateId = await idOfTemplate(ctx.db, projectId, reference);
  if (templateId === null) throw templateNotFound();
  const row = await findVersion(ctx.db, { projectId, templateId, number });
  if (row) return row;
  if (!(await findTemplate(ctx.db, projectId, templateId))) throw templateNotFound();
  throw new AppError('RESOURCE_NOT_FOUND', `The template has no version ${number}`, {
    suggestion: 'List its versions; only the newest are kept',
  });
}

export const getTemplateVersion = query({
  name: 'templates.version',
  summary: 'Returns one version of a template with its content',
  permission: 'data:read',
  errors: ['TEMPLATE_NOT_FOUND', 'RESOURCE_NOT_FOUND'],
  input: versionInput,
  output: templateVersion,
  handler: async (ctx, input) => presentVersion(await requireVersion(ctx, input)),
});
