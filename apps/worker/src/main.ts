/** The worker app: workflows and short activities here, delivery in processes of its own. */
import { fileURLToPath } from 'node:url';
import { composeServices } from '@postrider/core/adapters';
import { forgetSchedules } from '@postrider/core/workflows';
import { Client } from '@temporalio/client';
import { Runtime, Worker } from '@temporalio/worker';
import { pino } from 'pino';
import { createActivities } from './compose.ts';
import { readWorkerConfig } from './env.ts';
import { startMailProcesses } from './mail-processes.ts';
import { reportReady, stopSignal } from './process.ts';
import { ensureSchedules } from './schedules.ts';
import { connectToTemporal } from './temporal-connection.ts';
import { createCustomerSchedules } from './workflows/customer-schedule.ts';

const config = readWorkerConfig(process.env);
const log = pino({ level: config.core.LOG_LEVEL, name: 'worker' });
const stopping = stopSignal(log);
Runtime.install({ shutdownSignals: [] });

const services = composeServices(config.core, log, { connections: 10 });
const mail = startMailProcesses(config.mailWorkers, log);
const connection = await connectToTemporal(config.core, log, stopping);
const client = new Client({ connection, namespace: config.core.TEMPORAL_NAMESPACE });
const worker = await Worker.create({
  connection,
  namespace: config.core.TEMPORAL_NAMESPACE,
  taskQueue: 'control',
  workflowsPath: fileURLToPath(new URL('./workflows.ts', import.meta.url)),
  activities: createActivities(services, createCustomerSchedules(client)),
  shutdownGraceTime: 0,
});
const running = worker.run();

const keepSchedules = (): void => {
  ensureSchedules(client, config.reconcileSeconds, () => forgetSchedules(services), log).catch(
    (error: unknown) => log.warn({ err: error }, 'could not look after the schedules; trying again'),
  );
};
keepSchedules();
const scheduleTimer = setInterval(keepSchedules, Math.min(15, config.reconcileSeconds) * 1_000);

stopping.addEventListener('abort', () => {
  clearInterval(scheduleTimer);
  if (worker.getState() === 'RUNNING') worker.shutdown();
});
await mail.ready;
reportReady();
await running;
await mail.stop();
await services.close();
await connection.close();
process.exit(0);
