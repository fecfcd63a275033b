import { createInspections } from '@postrider/core/adapters';
import { createSegmentWheel } from '@postrider/core/audience/segments';
import { ExecutionRunners, forgetSchedules, RequestRuntime } from '@postrider/core/automation/workflows';
import { type Services, taskQueues } from '@postrider/core/base/kernel';
import type { Share } from '@postrider/core/base/lib';
import { watchDatabase, watchFindings } from '@postrider/core/insight/metrics';
import { WebhookRuntime } from '@postrider/core/insight/webhook-endpoints';
import { createClickJudge } from '@postrider/core/mail/tracking';
import { Client } from '@temporalio/client';
import { Worker, type WorkerOptions } from '@temporalio/worker';
import type { Logger } from 'pino';
import { activityTraces } from './activity-traces.ts';
import { startBounceReceiver } from './bounces/bounce-receiver.ts';
import { createActivities } from './compose.ts';
import type { WorkerConfig } from './env.ts';
import { finalErrors } from './final-errors.ts';
import { keepHealthFile } from './health-file.ts';
import { heartbeats } from './heartbeats.ts';
import type { MailProcesses } from './mail-processes.ts';
import { serveMetrics } from './metrics-server.ts';
import { reportReady } from './process.ts';
import { ensureSchedules, permanentSchedules, reconcileNow } from './schedules.ts';
import { connectToTemporal } from './temporal-connection.ts';
import { workflowBundle } from './workflow-bundle.ts';
import { createCustomerSchedules } from './workflows/customer-schedule.ts';
import { createDrivers } from './workflows/drivers.ts';
import { createExecutionActivities, createFormerActivities } from './workflows/executions.activities.ts';

/**
 * Workflow runs that are cached between their tasks, at about half a MiB each; any other run is replayed from its short history. The product
 * has some forty that are open for long, whatever the load. Temporal's default grows with the machine's memory.
 */
const runsInMemory = { standard: 50, small: 20 } as const;

/** Requests for tasks that wait at the server, of each kind and queue. */
const pollers = 2;

/** Between two looks at all permanent schedules, of which the most important is looked at all the time. */
const allSchedulesMs = 10 * 60_000;

interface Surroundings {
  log: Logger;
  stopping: AbortSignal;
  /** of this process in limits that hold for the installation */
  share: Share;
  /** what delivers; stopped with the worker */
  mail: MailProcesses;
  /** Called once nothing occupies the event loop for long any more. */
  onBundled(): void;
  /** whether clicks are judged here, or by something else in this process */
  judgesClicks: boolean;
}

/** Runs workflows and short activities, until it is stopped. */
export async function runWorker(
  config: WorkerConfig,
  services: Services,
  { log, stopping, share, mail, onBundled, judgesClicks }: Surroundings,
): Promise<void> {
  const bounces =
    config.core.BOUNCE_PORT === undefined
      ? null
      : await startBounceReceiver(services, config.core.BOUNCE_PORT, undefined, share);
  // Executions go on while Temporal is away: what this process drives is decided later.
  const runners = new ExecutionRunners(services);
  const requests = new RequestRuntime(services, share);
  const webhooks = new WebhookRuntime(services, share);
  const judge = judgesClicks ? createClickJudge(services) : null;
  judge?.start();
  const wheel = createSegmentWheel(services);
  wheel.start();
  const connection = await connectToTemporal(config.core, log, stopping);
  const client = new Client({ connection, namespace: config.core.TEMPORAL_NAMESPACE });
  const shared = {
    connection,
    namespace: config.core.TEMPORAL_NAMESPACE,
    shutdownGraceTime: 0,
    interceptors: { activity: [...heartbeats.activity, ...activityTraces.activity, ...finalErrors.activity] },
    // The default makes heartbeats so rare that a slow server presumes a running worker dead.
    maxHeartbeatThrottleInterval: '4s',
    maxConcurrentActivityTaskPolls: pollers,
  } satisfies Partial<WorkerOptions>;
  const workflows = {
    maxConcurrentWorkflowTaskPolls: pollers,
    maxCachedWorkflows: runsInMemory[config.core.PROFILE],
    // Workflows run on the main thread: threads of their own would take 30 MB each, for tasks of a few milliseconds. That also removes the time
    // limit of a workflow task; the watchdog of the process ends it when it stands still.
    debugMode: true,
  } satisfies Partial<WorkerOptions>;
  const drivers = createDrivers(client);
  const bundle = await workflowBundle(log);
  onBundled();
  const workers = await Promise.all([
    Worker.create({
      ...shared,
      taskQueue: taskQueues.control,
      workflowBundle: bundle,
      activities: createActivities(services, createCustomerSchedules(client), drivers, config),
      ...workflows,
    }),
    Worker.create({
      ...shared,
      taskQueue: taskQueues.executions,
      workflowBundle: bundle,
      activities: createExecutionActivities(services, runners),
      ...workflows,
    }),
    Worker.create({
      ...shared,
      taskQueue: taskQueues.webhooks,
      activities: createFormerActivities(services),
    }),
  ]);
  const running = Promise.all(workers.map((worker) => worker.run()));

  let isCaughtUp = false;
  let lookedAtAllAt = Number.NEGATIVE_INFINITY;
  const keepSchedules = async (): Promise<void> => {
    try {
      const looksAtAll = !isCaughtUp || performance.now() - lookedAtAllAt >= allSchedulesMs;
      await ensureSchedules(
        client,
        config.reconcileSeconds,
        () => forgetSchedules(services),
        log,
        looksAtAll,
      );
      if (looksAtAll) lookedAtAllAt = performance.now();
      // What has waited for Temporal begins now, and not with the next run of the schedule.
      if (!isCaughtUp) await reconcileNow(client);
      isCaughtUp = true;
    } catch (error) {
      isCaughtUp = false;
      log.warn({ err: error }, 'could not look after the schedules; trying again');
    }
  };
  void keepSchedules();
  drivers
    .ensure()
    .catch((error: unknown) => log.warn({ err: error }, 'could not start the drivers; reconcile will'));
  const scheduleTimer = setInterval(keepSchedules, Math.min(15, config.reconcileSeconds) * 1_000);

  stopping.addEventListener('abort', () => {
    void runners.stop();
    clearInterval(scheduleTimer);
    for (const worker of workers) if (worker.getState() === 'RUNNING') worker.shutdown();
  });
  await mail.ready;
  const metrics =
    config.metricsPort === undefined
      ? null
      : await serveMetrics(config.core, config.metricsPort, mail.metrics);
  const stopWatching = metrics === null ? null : watchDatabase(services);
  const stopChecking = watchFindings(services, {
    env: process.env,
    inspect: createInspections(config.core),
    mailWorkers: config.mailWorkers,
    smtpConnections: config.smtpConnections,
    schedules: permanentSchedules,
  });
  if (config.healthFile !== undefined) keepHealthFile(config.healthFile, log);
  reportReady();
  await running;
  await bounces?.stop();
  await stopWatching?.();
  await stopChecking();
  await metrics?.close();
  await Promise.all([
    mail.stop(),
    runners.stop(),
    requests.stop(),
    webhooks.stop(),
    judge?.stop(),
    wheel.stop(),
  ]);
  await connection.close();
}
