import { type ActivityInterface, type ActivityOptions, proxyActivities } from '@temporalio/workflow';

/**
 * Activities of a workflow. Each says all the time that it is still at work (`heartbeats`), so that what a killed worker had in hand is
 * begun again within seconds; without that it would be waited for until the longest time that the activity may take.
 *
 * @param options `startToCloseTimeout` is that longest time
 */
export const watchedActivities = <Activities = ActivityInterface>(
  options: ActivityOptions & Required<Pick<ActivityOptions, 'startToCloseTimeout'>>,
) => proxyActivities<Activities>({ heartbeatTimeout: '15 seconds', ...options });
