import { transactionTime } from '../../base/db/index.ts';
import { AppError, command, isAgent, projectIdOf, senderRefused } from '../../base/kernel/index.ts';
import { countAudience } from '../../mail/ledger/index.ts';
import { findGate } from '../../people/projects/index.ts';
import { assertStorage } from '../../people/storage/index.ts';
import { assertSendable } from '../preflight/index.ts';
import {
  approvalRefusal,
  countRecipients,
  isAgreedCall,
  type Standing,
  standingOf,
} from './approval-of-campaign.ts';
import { queryAudience } from './campaign-audience.ts';
import { factsOfCampaign } from './campaign-facts.ts';
import { deliverCampaignJob } from './campaigns.jobs.ts';
import { assertState, emailsExpired, readSchedule } from './campaigns.rules.ts';
import { sendCampaignInput, sendCampaignOutput } from './campaigns.schema.ts';
import {
  changeCampaign,
  contentBytesOfCampaign,
  designOfCampaign,
  localTimeOf,
  lockCampaign,
} from './campaigns.store.ts';
import { isRoundExpired } from './family.store.ts';
import { campaignNotFound } from './get-campaign.ts';
import { assertUnpaced, assertUntested, readLocalTime, startOf } from './local-time.rules.ts';
import { spanOfLocalTime } from './local-waves.ts';
import { waitsForOf } from './present-campaign.ts';

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
    'SEGMENT_NOT_FOUND',
    'CONFLICT',
    'APPROVAL_REQUIRED',
    'PREFLIGHT_FAILED',
  ],
  input: sendCampaignInput,
  output: sendCampaignOutput,
  async prepare(ctx, { id }) {
    const projectId = projectIdOf(ctx);
    await assertStorage(ctx.services, projectId, await contentBytesOfCampaign(ctx.db, projectId, id));
  },
  async handler(ctx, { id, acknowledge: acknowledged = [], ...times }) {
    const isOfAgent = isAgent(ctx.actor);
    if (isOfAgent && acknowledged.length > 0) throw agentAcknowledges();
    const projectId = projectIdOf(ctx);
    const campaign = await lockCampaign(ctx.db, projectId, id);
    if (!campaign) throw campaignNotFound();
    assertState('send', campaign.status);
    if (await isRoundExpired(ctx.db, campaign)) throw emailsExpired('of its family');
    const now = await transactionTime(ctx.db);
    const localTime = readLocalTime(times);
    if (localTime) {
      assertUnpaced(campaign, 'localTime');
      assertUntested(campaign, 'localTime');
    }
    const scheduledFor = localTime
      ? startOf(await spanOfLocalTime(localTime), now)
      : readSchedule(times, now);
    const design = () => designOfCampaign(ctx.db, projectId, id);
    // Its row is locked: what was approved is what is scheduled, or sent.
    let judged: Promise<Standing> | undefined;
    const standing = () => {
      judged ??= standingOf(ctx.db, campaign, () => countRecipients(ctx.services, ctx.db, campaign));
      return judged;
    };
    const approval = async () =>
      isAgreedCall(ctx) ? null : approvalRefusal(ctx.services, campaign, await standing());
    const accepted = await assertSendable(
      factsOfCampaign(ctx, campaign, { design, scheduledFor, approval, sending: id }),
      { isStrict: isOfAgent || (await findGate(ctx.db, projectId)).isStrict, acknowledged },
    );
    const state = await standing();
    const approvedHash = state.kind === 'unneeded' ? null : state.hash;
    const changed = await changeCampaign(ctx.db, id, {
      localAt: localTime?.at ?? null,
      whenPassed: localTime?.whenPassed ?? null,
      ...(scheduledFor
        ? {
            approvedHash,
            status: 'SCHEDULED',
            scheduledFor,
            totalRecipients: await queryAudience(ctx.db, campaign, countAudience),
          }
        : { approvedHash, status: 'SENDING', sentAt: now, scheduledFor: null }),
    });
    ctx.audit({
      targetType: 'campaign',
      targetId: id,
      changed: [
        'status',
        'scheduledFor',
        ...(localTime ? ['localTime'] : []),
        ...accepted.map((rule) => `acknowledge.${rule}`),
      ],
    });
    ctx.afterCommit(() => ctx.services.workflows.signal(deliverCampaignJob, { campaignId: id }));
    return { ...changed, localTime: localTimeOf(changed), waitsFor: await waitsForOf(ctx, changed) };
  },
});

const agentAcknowledges = (): AppError =>
  new AppError('FORBIDDEN', 'A key of the scope agent may not acknowledge findings', {
    suggestion: 'Correct what they name, or ask a person to send the campaign in the dashboard',
  });
