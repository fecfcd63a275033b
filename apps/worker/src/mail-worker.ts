/**
 * One delivery process. It needs PostgreSQL and the mail server; without Temporal email is still delivered. More of them send faster. A worker
 * starts it, or it runs alone, beside workers with `MAIL_WORKERS=0`.
 */

import {
  composeServices,
  createLog,
  startTracing,
  watchEventLoop,
  watchMemory,
} from '@postrider/core/adapters';
import { joinInstallation } from '@postrider/core/people/installation';
import { readWorkerConfig } from './env.ts';
import { keepHealthFile } from './health-file.ts';
import {
  endAtOnce,
  endInOrder,
  onTakeOver,
  reportAlive,
  reportHolder,
  reportReady,
  stopSignal,
  waitForSchema,
} from './process.ts';
import { answerMetrics } from './process-metrics.ts';
import { createDelivery } from './run-delivery.ts';

const config = readWorkerConfig(process.env);
const source = { level: config.core.LOG_LEVEL, name: 'mail-worker' };
const log = createLog(source);
watchEventLoop(source);
if (config.metricsPort !== undefined) answerMetrics();
const stopping = stopSignal(log);
const stopTracing = await startTracing(config.core, { process: 'delivery', log });

const services = composeServices(config.core, log, { connections: 4, statementTimeoutMs: 20_000 });
await waitForSchema(config.core, log, stopping);
const membership = joinInstallation(services, {
  kind: 'delivery',
  onRestored: endAtOnce(log),
  onMisfit: endInOrder(log),
});
watchMemory(services);
const delivery = await createDelivery(config, services);
const { runtime } = delivery;
reportAlive(() => runtime.stalledMs);
onTakeOver((worker) => runtime.takeOver(worker), log);
reportHolder(runtime.worker);
await delivery.start();
// A worker watches its processes itself.
if (process.send === undefined && config.healthFile !== undefined) keepHealthFile(config.healthFile, log);
reportReady();
await new Promise((resolve) => {
  if (stopping.aborted) resolve(null);
  stopping.addEventListener('abort', resolve);
});
await delivery.stop();
await Promise.race([
  membership.leave().then(() => services.close()),
  new Promise((resolve) => setTimeout(resolve, 2_000)),
]);
await stopTracing();
process.exit(0);
