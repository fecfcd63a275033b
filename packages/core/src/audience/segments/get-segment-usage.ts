import { projectIdOf, query } from '../../base/kernel/index.ts';
import { isUsed } from '../../base/references/index.ts';
import { segmentNotFound } from './segment-not-found.ts';
import { findSegmentUsers } from './segment-references.ts';
import { segmentIdInput, segmentUsage } from './segments.schema.ts';
import { findSegment } from './segments.store.ts';

export const getSegmentUsage = query({
  name: 'segments.getUsage',
  summary: 'Returns what refers to a segment or its events',
  permission: 'data:read',
  errors: ['SEGMENT_NOT_FOUND'],
  input: segmentIdInput,
  output: segmentUsage,
  async handler(ctx, { id }) {
    const projectId = projectIdOf(ctx);
    const segment = await findSegment(ctx.db, projectId, id);
    if (!segment) throw segmentNotFound();
    const users = await findSegmentUsers(ctx.db, projectId, segment);
    return {
      usedInSegments: users.segments,
      usedInCampaigns: users.campaigns,
      usedInWorkflows: users.workflows,
      usedInGoals: users.goals,
      usedInWebhookEndpoints: users.webhookEndpoints,
      canDelete: !isUsed(users),
    };
  },
});
