import { projectIdOf, query } from '../../base/kernel/index.ts';
import { idOfTemplate } from '../../content/templates/index.ts';
import { links, linksInput } from './breakdown.schema.ts';
import { topLinks } from './links.store.ts';

export const listLinks = query({
  name: 'analytics.links',
  summary: 'Lists the links of a campaign, a template or a workflow step by clicks',
  permission: 'data:read',
  input: linksInput,
  output: links,
  async handler(ctx, { campaignId, templateId, stepId, limit }) {
    const projectId = projectIdOf(ctx);
    const ofTemplate =
      templateId === undefined ? undefined : await idOfTemplate(ctx.db, projectId, templateId);
    // An alias that no template has.
    if (ofTemplate === null) return { data: [] };
    const scopeId = campaignId ?? ofTemplate ?? stepId;
    if (scopeId === undefined) throw new Error('the input names one of them');
    return { data: await topLinks(ctx.db, { projectId, scopeId }, limit) };
  },
});
