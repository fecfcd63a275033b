/** Deliveries are kept for 30 days after they were queued (behaviour B11.3). */
export const deliveryKeptMs = 30 * 86_400_000;
