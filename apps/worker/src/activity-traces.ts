import { rootSpan } from '@postrider/core/base/kernel';
import type { ActivityInterceptorsFactory } from '@temporalio/worker';

/** A trace begins with each attempt of an activity. Workflows are not traced: their code runs again whenever they are replayed. */
export const activityTraces: { activity: ActivityInterceptorsFactory[] } = {
  activity: [
    ({ info: { activityType, attempt } }) => ({
      inbound: {
        execute: (input, next) =>
          rootSpan(
            `temporal.${activityType}`,
            { 'postrider.attempt': attempt },
            { kind: 'consumer' },
            (span) => {
              // What drives others, or imports a file, takes long.
              span?.patient();
              return next(input);
            },
          ),
      },
    }),
  ],
};
