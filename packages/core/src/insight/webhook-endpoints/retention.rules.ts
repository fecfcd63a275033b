import { deliveryDays } from '../../base/slices/slices.rules.ts';

/** Deliveries are kept for 30 days after they were queued (behaviour B8.5). */
export const deliveryKeptMs = deliveryDays * 86_400_000;
