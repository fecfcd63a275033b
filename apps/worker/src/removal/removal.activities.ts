import type { Services } from '@postrider/core/base/kernel';
import { normalizeAddresses, removeBatch } from '@postrider/core/insight/removal';

export interface RemovalActivities {
  /** @returns whether there may be more to remove */
  removeProjectData(projectId: string): Promise<boolean>;
  /** @returns whether there is more to do */
  normalizeSomeAddresses(): Promise<boolean>;
}

export const createRemovalActivities = (services: Services): RemovalActivities => ({
  removeProjectData: (projectId) => removeBatch(services, projectId),
  normalizeSomeAddresses: () => normalizeAddresses(services),
});
