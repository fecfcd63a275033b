import { z } from 'zod';
import { transactionTime } from '../../base/db/index.ts';
import { command, recordId } from '../../base/kernel/index.ts';
import { lockCampaign } from './campaigns.store.ts';
import { judge } from './guard.store.ts';
import { holdCampaign } from './hold-campaign.ts';
import { pauseLocked } from './pause-locked.ts';
import { tellOfPause } from './tell-of-pause.ts';

/** Pauses a campaign of which too much bounces, is complained about or unsubscribed by (behaviour B13.4). */
export const pauseByGuard = command({
  name: 'campaigns.pauseByGuard',
  summary: 'Pauses a campaign whose guard has found too much',
  permission: 'internal',
  risk: 'none',
  internal: true,
  input: z.object({
    id: recordId.describe('Id of the campaign.'),
    projectId: recordId.describe('Id of its project.'),
  }),
  output: z.object({ changed: z.boolean().describe('False when there is nothing to pause any more.') }),
  async handler(ctx, { id, projectId }) {
    const campaign = await lockCampaign(ctx.db, projectId, id);
    // One of many processes gets here first.
    const judged = campaign && (await judge(ctx.db, id));
    if (!campaign || !judged) return { changed: false };
    const { reason } = judged;
    await pauseLocked(ctx.db, campaign, { at: await transactionTime(ctx.db), reason });
    await tellOfPause(ctx.services, ctx.db, campaign, reason);
    ctx.audit({ targetType: 'campaign', targetId: id, projectId, changed: ['pausedAt'] });
    ctx.afterCommit(() => holdCampaign(ctx.services, { projectId, campaignId: id }));
    ctx.afterCommit(() => ctx.services.platformMail.notify());
    return { changed: true };
  },
});
