import { z } from 'zod';
import { findActiveCampaigns, presentCampaigns } from '../../automation/campaigns/index.ts';
import {
  campaignStatus,
  emptyObject,
  isoDate,
  projectIdOf,
  query,
  type Services,
  waitsForEngine,
  waitsForField,
} from '../../base/kernel/index.ts';
import { routeId } from '../../base/providers/index.ts';
import { findFormTroubles } from '../../mail/forms/index.ts';
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
      scheduledFor: isoDate.nullable().describe('When it starts; null for one that was not scheduled'),
      pausedAt: isoDate.nullable().describe('Since when it is paused; null unless it is'),
      waitsFor: waitsForField('the workflow engine, which does not answer.'),
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
    .array(
      z.object({
        id: z.string(),
        kind: z.string(),
        progress: z.int(),
        waitsFor: waitsForField('the workflow engine, which does not answer.'),
      }),
    )
    .describe('Imports, bulk changes and exports that wait or run'),
  waitingExecutions: z.int().describe('Executions of workflows that wait, at most 10,000'),
  pausedRoute: z
    .object({ since: isoDate, reason: z.string() })
    .nullable()
    .describe('Since when and why no email is given to the mail server; null while it is used'),
  forms: z
    .object({ guarded: z.int(), limited: z.boolean() })
    .describe(
      'Forms that ask for work, because few of their requests are confirmed; and whether so many requests of the last 24 hours are unconfirmed that no more are taken',
    ),
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
      forms,
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
      findFormTroubles(ctx.db, projectId),
    ]);
    const activeCampaigns = (await presentCampaigns(ctx, campaigns)).map((campaign) => ({
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
      jobs: await Promise.all(jobs.map((job) => withWait(ctx.services, job))),
      pausedRoute,
      waitingExecutions,
      forms,
    };
  },
});

const withWait = async ({ engine }: Services, job: Awaited<ReturnType<typeof findRunningJobs>>[number]) => ({
  ...job,
  waitsFor: await engine.holdUpOf(waitsForEngine(job)),
});
