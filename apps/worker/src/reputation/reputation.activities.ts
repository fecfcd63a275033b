import type { Services } from '@postrider/core/base/kernel';
import { checkReputation } from '@postrider/core/people/reputation';

export interface ReputationActivities {
  /** @returns whether there is more to check */
  checkProjectReputation(projectId: string): Promise<boolean>;
}

export const createReputationActivities = (services: Services): ReputationActivities => ({
  checkProjectReputation: (projectId) => checkReputation(services, projectId),
});
