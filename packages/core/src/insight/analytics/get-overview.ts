import { z } from 'zod';
import { findActiveCampaigns } from '../../automation/campaigns/index.ts';
import { campaignStatus, emptyObject, isoDate, projectIdOf, query } from '../../base/kernel/index.ts';
import { routeId } from '../../base/providers/index.ts';
import { findRoutePause } from '../../mail/ledger/index.ts';
import {
  countContacts,
  countDomains,
  countRecentEmails,
  countWaitingExecutions,
  findRunningJobs,
  hasSentMail,
  hourlySeries,
  readFirstSteps,
} from './overview.store.ts';

const overview = z.object({
  contacts: z.object({ total: z.int(), subscribed: z.int() }),
  emails24h: z.object({
    sent: z.int(),
    failed: z.int(),
    skipped: z.int(),
    uncertain: z.int(),
    pending: z.int(),
  }),
  series: z.array(z.object({ bucket: isoDate, sent: z.int(), failed: z.int() })),
  activeCampaigns: z.array(
    z.object({
      id: z.string(),
      name: z.string(),
      status: campaignStatus,
      pausedAt: isoDate.nullable().describe('Since when it is paused; null unless it is'),
      totalRecipients: z.int(),
      sentCount: z.int(),
      failedCount: z.int(),
      skippedCount: z.int(),
      uncertainCount: z.int(),
      pendingCount: z.int(),
    }),
  ),
  domains: z.object({ total: z.int(), verified: z.int() }),
  firstMailSent: z.boolean(),
  hasTemplate: z.boolean(),
  hasCampaign: z.boolean(),
  jobs: z
    .array(z.object({ id: z.string(), kind: z.string(), progress: z.int() }))
    .describe('Imports, bulk changes and exports that wait or run'),
  waitingExecutions: z.int().describe('Executions of workflows that wait, at most 10,000'),
  pausedRoute: z
    .object({ since: isoDate, reason: z.string() })
    .nullable()
    .describe('Since when and why no email is given to the mail server; null while it is used'),
});

export const getOverview = query({
  name: 'analytics.overview',
  summary:
    'Returns the figures of the overview: emails of the last 24 hours, active campaigns, setup progress',
  permission: 'data:read',
  input: emptyObject,
  output: overview,
  async handler(ctx) {
    const projectId = projectIdOf(ctx);
    const [
      contacts,
      emails24h,
      series,
      campaigns,
      domains,
      firstMailSent,
      firstSteps,
      jobs,
      pausedRoute,
      waitingExecutions,
    ] = await Promise.all([
      countContacts(ctx.db, projectId),
      countRecentEmails(ctx.db, projectId),
      hourlySeries(ctx.db, projectId),
      findActiveCampaigns(ctx.db, projectId),
      countDomains(ctx.db, projectId),
      hasSentMail(ctx.db, projectId),
      readFirstSteps(ctx.db, projectId),
      findRunningJobs(ctx.db, projectId),
      findRoutePause(ctx.db, routeId(ctx.services.config)),
      countWaitingExecutions(ctx.db, projectId),
    ]);
    const activeCampaigns = campaigns.map((campaign) => ({
      ...campaign,
      pendingCount: campaign.frozenAt
        ? Math.max(
            0,
            campaign.totalRecipients -
              campaign.sentCount -
              campaign.failedCount -
              campaign.skippedCount -
              campaign.uncertainCount,
          )
        : 0,
    }));
    return {
      contacts,
      emails24h,
      series,
      activeCampaigns,
      domains,
      firstMailSent,
      ...firstSteps,
      jobs,
      pausedRoute,
      waitingExecutions,
    };
  },
});
