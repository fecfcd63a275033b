import { projectIdOf, query } from '../../base/kernel/index.ts';
import { type ActivityItem, upcomingActivity, upcomingInput } from './activity.schema.ts';
import {
  findUpcomingCampaigns,
  findUpcomingEmails,
  type UpcomingCampaign,
  type UpcomingEmail,
} from './upcoming.store.ts';

const dayMs = 86_400_000;

export const listUpcomingActivity = query({
  name: 'activity.upcoming',
  summary: 'Lists scheduled campaigns and the next emails of waiting workflows, soonest first',
  permission: 'data:read',
  input: upcomingInput,
  output: upcomingActivity,
  async handler(ctx, { limit, daysAhead }) {
    const until = new Date(Date.now() + daysAhead * dayMs);
    const search = { projectId: projectIdOf(ctx), until, limit };
    const [campaigns, emails] = await Promise.all([
      findUpcomingCampaigns(ctx.db, search),
      findUpcomingEmails(ctx.db, search),
    ]);
    const scheduled = [
      ...campaigns.map((campaign) => ({ at: campaign.scheduledFor, item: campaignItem(campaign) })),
      ...emails.map((email) => ({ at: email.resumeAt, item: emailItem(email) })),
    ].sort((a, b) => a.at.getTime() - b.at.getTime());
    return { activities: scheduled.slice(0, limit).map(({ item }) => item) };
  },
});

const campaignItem = ({ id, name, scheduledFor, ...campaign }: UpcomingCampaign): ActivityItem => ({
  id,
  type: 'campaign.scheduled',
  timestamp: scheduledFor,
  metadata: { campaignId: id, campaignName: name, ...campaign },
});

const emailItem = ({ contactId, contactEmail, resumeAt, ...email }: UpcomingEmail): ActivityItem => ({
  id: email.executionId,
  type: 'workflow.email.scheduled',
  timestamp: resumeAt,
  contactId,
  contactEmail,
  metadata: email,
});
