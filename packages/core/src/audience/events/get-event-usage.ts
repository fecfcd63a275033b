import { isReservedEvent } from '../../base/event-types/event-types.rules.ts';
import { projectIdOf, query } from '../../base/kernel/index.ts';
import { findEventReferences, isInUse } from './event-references.ts';
import { eventNameInput, eventUsage } from './events.schema.ts';
import { countOccurrences } from './history.store.ts';

export const getEventUsage = query({
  name: 'events.usage',
  summary: 'Returns where an event is used and how often it occurred',
  permission: 'data:read',
  input: eventNameInput,
  output: eventUsage,
  async handler(ctx, { eventName }) {
    const projectId = projectIdOf(ctx);
    const references = await findEventReferences(ctx.db, projectId, eventName);
    const counts = await countOccurrences(ctx.db, projectId, eventName);
    return {
      usedInSegments: references.segments,
      usedInCampaigns: references.campaigns,
      usedInWorkflows: references.workflows,
      usedInGoals: references.goals,
      ...counts,
      canDelete: !isReservedEvent(eventName) && !isInUse(references),
    };
  },
});
