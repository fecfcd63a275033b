/** One delivery process. More of them send faster. */
import { composeServices, createSmtpTransport } from '@postrider/core/adapters';
import { taskQueues } from '@postrider/core/kernel';
import { DeliveryRuntime } from '@postrider/core/sending';
import { Runtime, Worker } from '@temporalio/worker';
import { pino } from 'pino';
import { readWorkerConfig } from './env.ts';
import { finalErrors } from './final-errors.ts';
import { reportReady, stopSignal } from './process.ts';
import { createSendingActivities } from './sending/sending.activities.ts';
import { connectToTemporal } from './temporal-connection.ts';

/** Lanes for transactional and workflow email cost little while idle; campaigns share a few. */
const directLanes = 50;
const bulkLanes = 4;

const config = readWorkerConfig(process.env);
const log = pino({ level: config.core.LOG_LEVEL, name: 'mail-worker' });
const stopping = stopSignal(log);
Runtime.install({ shutdownSignals: [] });

const services = composeServices(config.core, log, { connections: 6 });
const transport = createSmtpTransport({
  url: config.core.SMTP_URL,
  connections: config.smtpConnections,
  // Shorter than the lease: a connection that hangs must not outlive the claim on its message.
  socketTimeoutMs: Math.round(config.delivery.leaseMs * 0.6),
  greetingTimeoutMs: Math.min(10_000, Math.round(config.delivery.leaseMs * 0.5)),
  idleTimeoutMs: 15_000,
});
const runtime = new DeliveryRuntime(services, transport, config.delivery);
const connection = await connectToTemporal(config.core, log, stopping);
const activities = createSendingActivities(runtime, stopping);
const workers = await Promise.all(
  [
    { taskQueue: taskQueues.mail, maxConcurrentActivityTaskExecutions: directLanes },
    { taskQueue: taskQueues.mailBulk, maxConcurrentActivityTaskExecutions: bulkLanes },
  ].map((options) =>
    Worker.create({
      ...options,
      connection,
      namespace: config.core.TEMPORAL_NAMESPACE,
      activities,
      // Cancellation is withheld during the grace period; these activities must receive it at once.
      shutdownGraceTime: 0,
      interceptors: finalErrors,
      maxHeartbeatThrottleInterval: '500ms',
    }),
  ),
);
stopping.addEventListener('abort', () => {
  for (const worker of workers) if (worker.getState() === 'RUNNING') worker.shutdown();
});
const running = Promise.all(workers.map((worker) => worker.run()));
reportReady();
await running;
await runtime.close();
await services.close();
await connection.close();
process.exit(0);
