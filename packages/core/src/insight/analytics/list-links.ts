import { projectIdOf, query } from '../../base/kernel/index.ts';
import { links, linksInput } from './breakdown.schema.ts';
import { topLinks } from './links.store.ts';

export const listLinks = query({
  name: 'analytics.links',
  summary: 'Lists the links of a campaign, a template or a workflow step by clicks',
  permission: 'data:read',
  input: linksInput,
  output: links,
  async handler(ctx, { campaignId, templateId, stepId, limit }) {
    const scopeId = campaignId ?? templateId ?? stepId;
    if (scopeId === undefined) throw new Error('the input names one of them');
    return { data: await topLinks(ctx.db, { projectId: projectIdOf(ctx), scopeId }, limit) };
  },
});
