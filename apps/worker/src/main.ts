/** The worker app: runs workflows and short activities, and delivery in separate processes. */
import {
  assertMailTransport,
  composeServices,
  createInspections,
  createLog,
  startTracing,
  watchEventLoop,
} from '@postrider/core/adapters';
import { createSegmentWheel } from '@postrider/core/audience/segments';
import { ExecutionRunners, forgetSchedules, RequestRuntime } from '@postrider/core/automation/workflows';
import { taskQueues } from '@postrider/core/base/kernel';
import { watchDatabase, watchFindings } from '@postrider/core/insight/metrics';
import { WebhookRuntime } from '@postrider/core/insight/webhook-endpoints';
import { createClickJudge } from '@postrider/core/mail/tracking';
import { joinInstallation } from '@postrider/core/people/installation';
import { Client } from '@temporalio/client';
import { Runtime, Worker, type WorkerOptions } from '@temporalio/worker';
import { activityTraces } from './activity-traces.ts';
import { startBounceReceiver } from './bounces/bounce-receiver.ts';
import { createActivities } from './compose.ts';
import { readWorkerConfig } from './env.ts';
import { finalErrors } from './final-errors.ts';
import { keepHealthFile } from './health-file.ts';
import { heartbeats } from './heartbeats.ts';
import { startMailProcesses } from './mail-processes.ts';
import { serveMetrics } from './metrics-server.ts';
import { endAtOnce, endInOrder, reportReady, reportSending, stopSignal, waitForSchema } from './process.ts';
import { ensureSchedules, permanentSchedules, reconcileNow } from './schedules.ts';
import { connectToTemporal } from './temporal-connection.ts';
import { workflowBundle } from './workflow-bundle.ts';
import { createCustomerSchedules } from './workflows/customer-schedule.ts';
import { createDrivers } from './workflows/drivers.ts';
import { createExecutionActivities, createFormerActivities } from './workflows/executions.activities.ts';

/**
 * Workflow runs that are cached between their tasks, at about half a MiB each; any other run is replayed from its
 * short history. Temporal's default grows with the machine's memory.
 */
const runsInMemory = 500;

const config = readWorkerConfig(process.env);
const source = { level: config.core.LOG_LEVEL, name: 'worker' };
const log = createLog(source);
const stopping = stopSignal(log);
Runtime.install({ shutdownSignals: [] });
await assertMailTransport(config.core);
const stopTracing = await startTracing(config.core, { process: 'worker', log });

const services = composeServices(config.core, log, { connections: 20 });
await waitForSchema(config.core, log, stopping);
const membership = joinInstallation(services, {
  kind: 'worker',
  onRestored: endAtOnce(log),
  onMisfit: endInOrder(log),
});
const bounces =
  config.core.BOUNCE_PORT === undefined
    ? null
    : await startBounceReceiver(services, config.core.BOUNCE_PORT, undefined, membership.share);
const mail = startMailProcesses(config.mailWorkers, log);
void mail.ready.then(reportSending);
// Executions go on while Temporal is away: what this process drives is decided later.
const runners = new ExecutionRunners(services);
const requests = new RequestRuntime(services, membership.share);
const webhooks = new WebhookRuntime(services, membership.share);
const judge = createClickJudge(services);
judge.start();
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
} satisfies Partial<WorkerOptions>;
const drivers = createDrivers(client);
const bundle = await workflowBundle(log);
watchEventLoop(source);
const workers = await Promise.all([
  Worker.create({
    ...shared,
    taskQueue: taskQueues.control,
    workflowBundle: bundle,
    activities: createActivities(services, createCustomerSchedules(client), drivers, config),
    maxCachedWorkflows: runsInMemory,
  }),
  Worker.create({
    ...shared,
    taskQueue: taskQueues.executions,
    workflowBundle: bundle,
    activities: createExecutionActivities(services, runners),
    maxCachedWorkflows: runsInMemory,
  }),
  Worker.create({ ...shared, taskQueue: taskQueues.webhooks, activities: createFormerActivities(services) }),
]);
const running = Promise.all(workers.map((worker) => worker.run()));

let isCaughtUp = false;
const keepSchedules = async (): Promise<void> => {
  try {
    await ensureSchedules(client, config.reconcileSeconds, () => forgetSchedules(services), log);
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
  config.metricsPort === undefined ? null : await serveMetrics(config.core, config.metricsPort, mail.metrics);
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
  judge.stop(),
  wheel.stop(),
]);
await membership.leave();
await services.close();
await stopTracing();
await connection.close();
process.exit(0);
