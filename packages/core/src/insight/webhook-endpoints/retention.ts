import type { Services } from '../../base/kernel/index.ts';
import { slicesToSweep } from '../../base/slices/index.ts';
import { removeDeliveries } from './deliveries.store.ts';
import { deliveryKeptMs } from './retention.rules.ts';

/**
 * Removes at most `limit` deliveries that were queued 30 days ago, from slices that are not dropped whole within days (behaviour B8.5).
 *
 * @returns how many
 */
export async function sweepWebhookDeliveries(
  { database }: Pick<Services, 'database'>,
  now: Date,
  limit: number,
): Promise<number> {
  const before = new Date(now.getTime() - deliveryKeptMs);
  let removed = 0;
  for (const slice of await slicesToSweep(database, 'WebhookDelivery', before)) {
    if (removed >= limit) break;
    removed += await removeDeliveries(database.prisma, slice, before, limit - removed);
  }
  return removed;
}
