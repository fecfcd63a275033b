import { reportUsage } from '@postrider/core/billing';
import type { Services } from '@postrider/core/kernel';

export interface BillingActivities {
  /** @returns the number of projects whose usage was reported */
  reportUsageOnce(): Promise<number>;
}

export const createBillingActivities = (services: Services): BillingActivities => ({
  reportUsageOnce: () => reportUsage(services),
});
