import type { EventUsage } from '../../../lib/api.ts';

type Users = Pick<EventUsage, 'usedInWorkflows' | 'usedInSegments' | 'usedInCampaigns' | 'usedInGoals'>;

const list = new Intl.ListFormat('en', { type: 'conjunction' });

/** `the workflow “Welcome” and the segment “Buyers”`; empty when nothing uses it. */
export function usersInWords({
  usedInWorkflows,
  usedInSegments,
  usedInCampaigns,
  usedInGoals,
}: Users): string {
  const named = (noun: string, users: Users['usedInSegments']) =>
    users.map(({ name }) => `the ${noun} “${name}”`);
  return list.format([
    ...named('workflow', usedInWorkflows),
    ...named('segment', usedInSegments),
    ...named('campaign', usedInCampaigns),
    ...named('goal', usedInGoals),
  ]);
}
