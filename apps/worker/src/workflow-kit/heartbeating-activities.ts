import type { TaskQueue } from '@postrider/core/base/kernel/jobs';
import { type ActivityInterface, type ActivityOptions, proxyActivities } from '@temporalio/workflow';

type Options = Omit<ActivityOptions, 'taskQueue'> &
  Required<Pick<ActivityOptions, 'startToCloseTimeout'>> & { taskQueue?: TaskQueue };

/**
 * Activities of a workflow. Each heartbeats while it runs (`heartbeats`), so after a crash of its worker it is retried within
 * `heartbeatTimeout`, not after `startToCloseTimeout`.
 *
 * @param options `startToCloseTimeout` is the longest time that the activity may take
 */
export const heartbeatingActivities = <Activities = ActivityInterface>(options: Options) =>
  proxyActivities<Activities>({ heartbeatTimeout: '15 seconds', ...options });
