import type { z } from 'zod';
import type { Context } from '../../base/kernel/index.ts';
import { follow, topics } from '../../base/live/index.ts';
import type { campaignRecord } from './campaigns.schema.ts';
import { getCampaign } from './get-campaign.ts';

/**
 * A campaign with its counters, now and after each change, until it is sent or cancelled.
 *
 * @throws AppError as `getCampaign` and `openStream` do
 */
export const followCampaign = (
  ctx: Context,
  id: string,
): Promise<AsyncIterableIterator<z.output<typeof campaignRecord>>> =>
  follow(ctx, {
    topic: topics.campaign(id),
    read: () => getCampaign.run(ctx, { id }),
    isLast: ({ status }) => status === 'SENT' || status === 'CANCELLED',
  });
