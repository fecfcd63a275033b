import { computeFigures, findProviders, foldFigures, type ProviderSearch } from '@postrider/core/analytics';
import type { Services } from '@postrider/core/kernel';

export interface AnalyticsActivities {
  /** Also computes figures that were estimated. @returns the number of entries that were added up */
  foldFiguresOnce(): Promise<number>;
  findProvidersOnce(): Promise<ProviderSearch>;
}

export const createAnalyticsActivities = (services: Services): AnalyticsActivities => ({
  async foldFiguresOnce() {
    const folded = await foldFigures(services);
    await computeFigures(services);
    return folded;
  },
  findProvidersOnce: () => findProviders(services),
});
