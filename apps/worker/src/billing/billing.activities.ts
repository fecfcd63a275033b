import type { Services } from '@postrider/core/base/kernel';
import { reportUsage } from '@postrider/core/people/billing';

export interface BillingActivities {
  /** @returns the number of projects whose usage was reported */
  reportUsageOnce(): Promise<number>;
}

export const createBillingActivities = (services: Services): BillingActivities => ({
  reportUsageOnce: () => reportUsage(services),
});
