import type { Services } from '@postrider/core/base/kernel';
import {
  computeFigures,
  findProviders,
  foldFigures,
  type ProviderSearch,
  startWantedFigures,
} from '@postrider/core/insight/analytics';
import { foldStorage } from '@postrider/core/people/storage';

export interface AnalyticsActivities {
  /** Also folds the entries of storage, and starts computing the figures that are still wanted. @returns the number of entries added up */
  foldFiguresOnce(): Promise<number>;
  /** @returns how many were computed */
  computeWantedFigures(projectId: string): Promise<number>;
  findProvidersOnce(): Promise<ProviderSearch>;
}

export const createAnalyticsActivities = (services: Services): AnalyticsActivities => ({
  async foldFiguresOnce() {
    await foldStorage(services);
    const folded = await foldFigures(services);
    await startWantedFigures(services);
    return folded;
  },
  computeWantedFigures: (projectId) => computeFigures(services, projectId),
  findProvidersOnce: () => findProviders(services),
});
