import { proxyActivities } from '@temporalio/workflow';

/** An activity that does nothing, with the same options as the product's activities. */
export interface BareActivities {
  nothing(executionId: string): Promise<{ kind: 'end' }>;
}

const { nothing } = proxyActivities<BareActivities>({
  startToCloseTimeout: '2 minutes',
  retry: { initialInterval: '500 milliseconds', maximumInterval: '30 seconds', backoffCoefficient: 2 },
});

/** @public started by Temporal by this name */
export async function bareExecution({
  executionId,
  activities,
}: {
  executionId: string;
  activities: number;
}): Promise<void> {
  for (let done = 0; done < activities; done += 1) await nothing(executionId);
}
