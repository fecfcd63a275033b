import { projectOf, query } from '../../base/kernel/index.ts';
import { routeId } from '../../base/providers/index.ts';
import { type EmailRow, findScheduledEmails, presentEmails } from '../../mail/sending/index.ts';
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
  summary: 'Lists scheduled emails and campaigns, and the next emails of waiting workflows, soonest first',
  permission: 'data:read',
  input: upcomingInput,
  output: upcomingActivity,
  async handler(ctx, { limit, daysAhead }) {
    const until = new Date(Date.now() + daysAhead * dayMs);
    const project = projectOf(ctx);
    const search = { projectId: project.id, until, limit };
    const [campaigns, emails, single] = await Promise.all([
      findUpcomingCampaigns(ctx.db, search),
      findUpcomingEmails(ctx.db, search),
      findScheduledEmails(ctx.db, search, routeId(ctx.services.config)),
    ]);
    const presented = await presentEmails(ctx.services, project, single);
    const scheduled = [
      ...campaigns.map((campaign) => ({ at: campaign.scheduledFor, item: campaignItem(campaign) })),
      ...emails.map((email) => ({ at: email.resumeAt, item: emailItem(email) })),
      ...presented.map((email) => ({ at: email.scheduledAt, item: scheduledItem(email) })),
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

const scheduledItem = ({
  id,
  contactId,
  contactEmail,
  scheduledAt,
  subject,
  to,
}: EmailRow & { subject: string; scheduledAt: Date }): ActivityItem => ({
  id,
  type: 'email.scheduled',
  timestamp: scheduledAt,
  ...(contactId !== null && contactEmail !== null && { contactId, contactEmail }),
  metadata: { emailId: id, subject, to },
});

const emailItem = ({ contactId, contactEmail, resumeAt, ...email }: UpcomingEmail): ActivityItem => ({
  id: email.executionId,
  type: 'workflow.email.scheduled',
  timestamp: resumeAt,
  contactId,
  contactEmail,
  metadata: email,
});
