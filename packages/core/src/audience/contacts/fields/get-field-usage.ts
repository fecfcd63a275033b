import { projectIdOf, query } from '../../../base/kernel/index.ts';
import { findReferences } from '../../../base/references/index.ts';
import { fieldOf } from './fields.rules.ts';
import { fieldInput, fieldUsage } from './fields.schema.ts';
import { countContactsWith } from './fields.store.ts';

export const getContactFieldUsage = query({
  name: 'contacts.getFieldUsage',
  summary:
    'Returns the segments, campaigns, workflows and templates that use a field, and how many contacts have it',
  permission: 'data:read',
  input: fieldInput,
  output: fieldUsage,
  async handler(ctx, { field: text }) {
    const field = fieldOf(text);
    const projectId = projectIdOf(ctx);
    const [{ templates, segments, campaigns, workflows }, contactCount] = await Promise.all([
      findReferences(ctx.db, projectId, [field.name]),
      countContactsWith(ctx.db, projectId, field.kind === 'custom' ? field.key : null),
    ]);
    const used = templates.length + segments.length + campaigns.length + workflows.length > 0;
    return {
      usedInSegments: segments,
      usedInCampaigns: campaigns,
      usedInWorkflows: workflows,
      usedInTemplates: templates,
      contactCount,
      canDelete: field.kind === 'custom' && !used,
    };
  },
});
