import type { ActivityInterceptorsFactory } from '@temporalio/worker';

/** Tells the server of every activity that has a heartbeat timeout that it is still at work, for as long as it is. */
export const heartbeats: { activity: ActivityInterceptorsFactory[] } = {
  activity: [
    (context) => ({
      inbound: {
        async execute(input, next) {
          const { heartbeatTimeoutMs } = context.info;
          if (heartbeatTimeoutMs === undefined) return next(input);
          const heart = setInterval(() => context.heartbeat(), heartbeatTimeoutMs / 3);
          try {
            return await next(input);
          } finally {
            clearInterval(heart);
          }
        },
      },
    }),
  ],
};
