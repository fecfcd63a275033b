import { transactionTime } from '../../base/db/index.ts';
import {
  badRequest,
  type CommandContext,
  command,
  projectIdOf,
  senderRefused,
} from '../../base/kernel/index.ts';
import { anyoneToSendTo, breakDownAudience, countAudience, countSimulated } from '../../mail/ledger/index.ts';
import { dailyCapExceeded, exceededDailyCap } from '../../mail/ramp/index.ts';
import {
  billingLimitExceeded,
  fitsCampaign,
  monthOf,
  reserveForCampaign,
} from '../../people/billing/index.ts';
import { requireVerifiedSender } from '../../people/domains/index.ts';
import { assertStorage } from '../../people/storage/index.ts';
import { queryAudience } from './campaign-audience.ts';
import { deliverCampaignJob } from './campaigns.jobs.ts';
import { assertState, readSchedule } from './campaigns.rules.ts';
import { sendCampaignInput, sendCampaignOutput } from './campaigns.schema.ts';
import { type CampaignRow, changeCampaign, contentBytesOfCampaign, lockCampaign } from './campaigns.store.ts';
import { assertReferences } from './check-campaign.ts';
import { campaignNotFound } from './get-campaign.ts';

export const sendCampaign = command({
  name: 'campaigns.send',
  summary: 'Sends a campaign now, or schedules it',
  permission: 'data:write',
  risk: 'mail',
  errors: [
    'BAD_REQUEST',
    'BILLING_LIMIT_EXCEEDED',
    'RATE_LIMIT_EXCEEDED',
    'FORBIDDEN',
    senderRefused,
    'CAMPAIGN_NOT_FOUND',
    'CONFLICT',
  ],
  input: sendCampaignInput,
  output: sendCampaignOutput,
  async prepare(ctx, { id }) {
    const projectId = projectIdOf(ctx);
    await assertStorage(ctx.services, projectId, await contentBytesOfCampaign(ctx.db, projectId, id));
  },
  async handler(ctx, { id, ...times }) {
    const projectId = projectIdOf(ctx);
    const campaign = await lockCampaign(ctx.db, projectId, id);
    if (!campaign) throw campaignNotFound();
    assertState('send', campaign.status);
    const { audienceType, segmentId } = campaign;
    await assertReferences(ctx, { audienceType, segmentId: segmentId ?? undefined });
    const now = await transactionTime(ctx.db);
    const scheduledFor = readSchedule(times, now);
    await requireVerifiedSender(ctx, campaign.from);
    await requireCaps(ctx, campaign, scheduledFor);
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

/**
 * Reserves the usage of a campaign that starts now. One that is scheduled for this month must fit as well, but reserves nothing: it is
 * checked again when its audience is frozen, like the daily cap of a new project.
 *
 * @throws AppError BILLING_LIMIT_EXCEEDED, RATE_LIMIT_EXCEEDED
 */
async function requireCaps(
  { db, services: { config } }: CommandContext,
  campaign: CampaignRow,
  scheduledFor: Date | null,
): Promise<void> {
  const isBilled = config.billingEnabled && !(scheduledFor && scheduledFor >= monthOf(new Date()).end);
  const isRamped = config.NEW_PROJECT_RAMP !== undefined && !scheduledFor;
  if (!isBilled && !isRamped) return;
  const isSandbox = campaign.from === config.sandboxFrom;
  const [willSend, simulated] = await queryAudience(db, campaign, async (tx, request) => [
    (await breakDownAudience(tx, request, isSandbox)).willSend,
    await countSimulated(tx, request),
  ]);
  if (simulated > 0 && simulated === willSend) return;
  // At a cap nothing can be sent, also when the audience is empty.
  const quantity = Math.max(1, willSend - simulated);
  const { projectId } = campaign;
  if (isBilled) {
    const granted = scheduledFor
      ? await fitsCampaign(db, projectId, quantity)
      : await reserveForCampaign(db, campaign, quantity);
    if (!granted) throw billingLimitExceeded();
  }
  if (!isRamped) return;
  const cap = await exceededDailyCap(config, db, { projectId, quantity, kept: false });
  if (cap !== null) throw dailyCapExceeded(cap);
}
