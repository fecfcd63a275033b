import { findProviders, foldFigures, type ProviderSearch } from '@postrider/core/analytics';
import type { Services } from '@postrider/core/kernel';

export interface AnalyticsActivities {
  /** @returns the number of entries that were added up */
  foldFiguresOnce(): Promise<number>;
  findProvidersOnce(): Promise<ProviderSearch>;
}

export const createAnalyticsActivities = (services: Services): AnalyticsActivities => ({
  foldFiguresOnce: () => foldFigures(services),
  findProvidersOnce: () => findProviders(services),
});
