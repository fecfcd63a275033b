import { foldFigures } from '@postrider/core/analytics';
import type { Services } from '@postrider/core/kernel';

export interface AnalyticsActivities {
  /** @returns the number of entries that were added up */
  foldFiguresOnce(): Promise<number>;
}

export const createAnalyticsActivities = (services: Services): AnalyticsActivities => ({
  foldFiguresOnce: () => foldFigures(services),
});
