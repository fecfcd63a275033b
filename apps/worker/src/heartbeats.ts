import type { ActivityInterceptorsFactory } from '@temporalio/worker';

/** Sends heartbeats for every running activity that has a heartbeat timeout. */
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
