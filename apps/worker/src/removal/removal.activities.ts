import type { Services } from '@postrider/core/kernel';
import { removeBatch } from '@postrider/core/removal';

export interface RemovalActivities {
  /** @returns whether there may be more to remove */
  removeProjectData(projectId: string): Promise<boolean>;
}

export const createRemovalActivities = (services: Services): RemovalActivities => ({
  removeProjectData: (projectId) => removeBatch(services, projectId),
});
