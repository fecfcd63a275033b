import { transactionTime } from '../../base/db/index.ts';
import { assertSenderAllowed, command, conflict, projectIdOf, suggestions } from '../../base/kernel/index.ts';
import { requeueEmails, signalBulkDelivery, withExpiredEmails } from '../../mail/ledger/index.ts';
import { deliverCampaignJob } from './campaigns.jobs.ts';
import { assertState, emailsExpired } from './campaigns.rules.ts';
import { retryCampaignInput, retryCampaignOutput } from './campaigns.schema.ts';
import { changeCampaign } from './campaigns.store.ts';
import { campaignNotFound } from './get-campaign.ts';
import { lockForRetry } from './lock-for-retry.ts';
import { refusalOfWholeRetry, restOfRetry, retryRequestOf } from './requeue-emails.ts';

/** The number of emails requeued within the request; the rest follow in the background. */
const withinRequest = 10_000;

export const retryCampaign = command({
  name: 'campaigns.retry',
  summary: 'Queues the failed or uncertain emails of a campaign again',
  permission: 'data:write',
  risk: 'mail',
  errors: ['BILLING_LIMIT_EXCEEDED', 'RATE_LIMIT_EXCEEDED', 'CAMPAIGN_NOT_FOUND', 'CONFLICT'],
  input: retryCampaignInput,
  output: retryCampaignOutput,
  async handler(ctx, { id, statuses }) {
    const projectId = projectIdOf(ctx);
    const campaign = await lockForRetry(ctx.db, projectId, id);
    if (!campaign) throw campaignNotFound();
    assertState('retry', campaign.status);
    if ((await withExpiredEmails(ctx.db, [id])).size > 0) throw emailsExpired('of the campaign');
    assertSenderAllowed(ctx.actor, campaign.from);
    if (campaign.retryBefore) {
      throw conflict('The emails of an earlier retry of this campaign are still being queued', {
        suggestion: suggestions.CONFLICT.retryUnderWay,
      });
    }
    const request = await retryRequestOf(ctx.services, ctx.db, campaign, statuses);
    const refusal = await refusalOfWholeRetry(ctx.services, ctx.db, request);
    if (refusal) throw refusal;
    const { count, next } = await requeueEmails(ctx.db, request, null, withinRequest);
    const rest = next ? await restOfRetry(ctx.db, request, next) : 0;
    const requeued = count + rest;
    ctx.audit({ targetType: 'campaign', targetId: id, changed: requeued > 0 ? ['status'] : [] });
    if (requeued > 0) {
      const later =
        rest > 0 ? { retryStatuses: [...statuses], retryBefore: await transactionTime(ctx.db) } : {};
      await changeCampaign(ctx.db, id, { status: 'SENDING', closedAt: null, ...later });
      ctx.afterCommit(() => signalBulkDelivery(ctx.services, projectId));
      ctx.afterCommit(() => ctx.services.workflows.signal(deliverCampaignJob, { campaignId: id }));
    }
    return { requeued };
  },
});
