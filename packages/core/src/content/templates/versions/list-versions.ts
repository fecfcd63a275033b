import { badRequest, cursorsOf, projectIdOf, query } from '../../../base/kernel/index.ts';
import { templateNotFound } from '../get-template.ts';
import { findTemplate } from '../templates.store.ts';
import { presentVersion } from './present-version.ts';
import { listVersionsInput, versionList } from './versions.schema.ts';
import { countVersions, findVersions } from './versions.store.ts';

export const listTemplateVersions = query({
  name: 'templates.versions',
  summary: 'Lists the versions of a template, newest first',
  permission: 'data:read',
  errors: ['BAD_REQUEST', 'TEMPLATE_NOT_FOUND'],
  input: listVersionsInput,
  output: versionList,
  async handler(ctx, input) {
    const { limit } = input;
    const projectId = projectIdOf(ctx);
    const cursors = cursorsOf('templates.versions', input);
    const after = cursors.after('text');
    if (after && !/^\d{1,9}$/.test(after.value)) throw badRequest('Invalid cursor');
    const template = await findTemplate(ctx.db, projectId, input.id);
    if (!template) throw templateNotFound();
    const templateId = template.id;
    const [rows, total] = await Promise.all([
      findVersions(ctx.db, { projectId, templateId }, after && Number(after.value), limit + 1),
      after ? 0 : countVersions(ctx.db, projectId, templateId),
    ]);
    return cursors.page(rows.map(presentVersion), ({ version }) => String(version), total);
  },
});
