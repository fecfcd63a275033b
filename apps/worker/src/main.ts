/** The worker app: runs workflows and short activities, and delivery in separate processes. */
import {
  assertMailTransport,
  composeServices,
  createLog,
  startTracing,
  watchEventLoop,
  watchMemory,
} from '@postrider/core/adapters';
import { joinInstallation } from '@postrider/core/people/installation';
import { Runtime } from '@temporalio/worker';
import { readWorkerConfig } from './env.ts';
import { startMailProcesses } from './mail-processes.ts';
import { endAtOnce, endInOrder, reportSending, stopSignal, waitForSchema } from './process.ts';
import { runWorker } from './run-worker.ts';

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
watchMemory(services);
const mail = startMailProcesses(config.mailWorkers, log);
void mail.ready.then(reportSending);
await runWorker(config, services, {
  ...{ log, stopping, mail, share: membership.share },
  onBundled: () => watchEventLoop(source),
  judgesClicks: true,
});
await membership.leave();
await services.close();
await stopTracing();
process.exit(0);
