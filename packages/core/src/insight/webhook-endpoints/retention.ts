import type { Services } from '../../base/kernel/index.ts';
import { removeDeliveries } from './deliveries.store.ts';
import { deliveryKeptMs } from './retention.rules.ts';

/** Removes a batch of deliveries that were queued 30 days ago (behaviour B11.3). @returns how many */
export const sweepWebhookDeliveries = (services: Services, now: Date, limit: number): Promise<number> =>
  removeDeliveries(services.database.prisma, new Date(now.getTime() - deliveryKeptMs), limit);
