/** The worker app: runs workflows and short activities, and delivery in separate processes. */
import {
  assertMailTransport,
  composeServices,
  createLog,
  watchEventLoop,
  watchMemory,
} from '@postrider/core/adapters';
import { fenceEpoch } from '@postrider/core/people/installation';
import { Runtime } from '@temporalio/worker';
import { readWorkerConfig } from './env.ts';
import { startMailProcesses } from './mail-processes.ts';
import { endAtOnce, reportSending, stopSignal } from './process.ts';
import { runWorker } from './run-worker.ts';

const config = readWorkerConfig(process.env);
const source = { level: config.core.LOG_LEVEL, name: 'worker' };
const log = createLog(source);
const stopping = stopSignal(log);
Runtime.install({ shutdownSignals: [] });
await assertMailTransport(config.core);

const services = composeServices(config.core, log, { connections: 20 });
fenceEpoch(services, endAtOnce(log));
watchMemory(services);
const mail = startMailProcesses(config.mailWorkers, log);
void mail.ready.then(reportSending);
await runWorker(config, services, {
  ...{ log, stopping, mail },
  onBundled: () => watchEventLoop(source),
  judgesClicks: true,
});
await services.close();
process.exit(0);
