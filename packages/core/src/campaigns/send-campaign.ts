import { requireVerifiedSender } from '../domains/index.ts';
import { badRequest, command, projectIdOf, senderRefused } from '../kernel/index.ts';
import { anyoneToSendTo, countAudience } from '../sending/index.ts';
import { queryAudience } from './campaign-audience.ts';
import { deliverCampaignJob } from './campaigns.jobs.ts';
import { assertState, readSchedule } from './campaigns.rules.ts';
import { sendCampaignInput, sendCampaignOutput } from './campaigns.schema.ts';
import { changeCampaign, lockCampaign } from './campaigns.store.ts';
import { assertReferences } from './check-campaign.ts';
import { campaignNotFound } from './get-campaign.ts';

export const sendCampaign = command({
  name: 'campaigns.send',
  summary: 'Sends a campaign now, or schedules it',
  permission: 'data:write',
  errors: ['BAD_REQUEST', 'BILLING_LIMIT_EXCEEDED', senderRefused, 'CAMPAIGN_NOT_FOUND', 'CONFLICT'],
  input: sendCampaignInput,
  output: sendCampaignOutput,
  async handler(ctx, { id, scheduledFor: given }) {
    const projectId = projectIdOf(ctx);
    const campaign = await lockCampaign(ctx.db, projectId, id);
    if (!campaign) throw campaignNotFound();
    const { audienceType, segmentId } = campaign;
    await assertReferences(ctx, { audienceType, segmentId: segmentId ?? undefined });
    assertState('send', campaign.status);
    const now = new Date();
    const scheduledFor = readSchedule(given, now);
    await requireVerifiedSender(ctx, campaign.from);
    if (!(await queryAudience(ctx.db, campaign, anyoneToSendTo))) {
      throw badRequest('This campaign has no recipients', {
        suggestion:
          'Add contacts, or choose another audience. MARKETING and HEADLESS emails are sent to subscribed contacts only',
      });
    }
    const changed = await changeCampaign(
      ctx.db,
      id,
      scheduledFor
        ? {
            status: 'SCHEDULED',
            scheduledFor,
            totalRecipients: await queryAudience(ctx.db, campaign, countAudience),
          }
        : { status: 'SENDING', sentAt: now, scheduledFor: null },
    );
    ctx.audit({ targetType: 'campaign', targetId: id, changed: ['status', 'scheduledFor'] });
    ctx.afterCommit(() => ctx.services.workflows.signal(deliverCampaignJob, { campaignId: id }));
    return changed;
  },
});
