/** One delivery process. It needs PostgreSQL and the mail server; without Temporal email is still delivered. More of them send faster. */

import {
  composeServices,
  createLog,
  createMailTransport,
  startTracing,
  watchEventLoop,
} from '@postrider/core/adapters';
import { createCloser, createGuard } from '@postrider/core/automation/campaigns';
import { configuredRoute, DeliveryRuntime } from '@postrider/core/mail/delivery';
import { createSimulatorTasks, simulatorRoute } from '@postrider/core/mail/simulator';
import { joinInstallation } from '@postrider/core/people/installation';
import { readWorkerConfig } from './env.ts';
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
const transport = await createMailTransport(config.core, {
  connections: config.smtpConnections,
  processes: config.mailWorkers,
});
const routes = [configuredRoute(config.core, transport), simulatorRoute(services)] as const;
const runtime = new DeliveryRuntime(services, routes, config.delivery, {
  onCampaignCounted: createGuard(services),
  onCampaignDrained: createCloser(services),
});
const simulated = createSimulatorTasks(services);
reportAlive(() => runtime.stalledMs);
onTakeOver((worker) => runtime.takeOver(worker), log);
reportHolder(runtime.worker);
await runtime.prepare();
runtime.start();
simulated.start();
reportReady();
await new Promise((resolve) => {
  if (stopping.aborted) resolve(null);
  stopping.addEventListener('abort', resolve);
});
await Promise.all([
  runtime.stop(),
  Promise.race([simulated.stop(), new Promise((resolve) => setTimeout(resolve, 2_000))]),
]);
await Promise.race([
  membership.leave().then(() => services.close()),
  new Promise((resolve) => setTimeout(resolve, 2_000)),
]);
await stopTracing();
process.exit(0);
