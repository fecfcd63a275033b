/**
 * The profile `small`: api, worker and one delivery in one process, for a machine with little memory. The same code on the same rows and
 * leases, so that it runs beside processes of the other profile. A kill ends all three at once, and the supervisor starts them again.
 */
import { apiServices, drainMs } from '@postrider/api/limits';
import { prepareApi } from '@postrider/api/run-api';
import {
  assertMailTransport,
  composeServices,
  createLog,
  watchEventLoop,
  watchMemory,
} from '@postrider/core/adapters';
import { migrate } from '@postrider/core/base/db';
import { fenceEpoch } from '@postrider/core/people/installation';
import { Runtime } from '@temporalio/worker';
import { readWorkerConfig } from './env.ts';
import { endAtOnce, reportSending, stopSignal } from './process.ts';
import { createDelivery } from './run-delivery.ts';
import { runWorker } from './run-worker.ts';
import { defaultWatchdogOptions } from './watchdog.ts';

/** Of each of the two largest pools of the api, and of the worker with delivery: at most 16 connections of this process are in use. */
const connections = 4;

const config = readWorkerConfig({ ...process.env, PROFILE: 'small' });
const { core } = config;
const source = { level: core.LOG_LEVEL, name: 'small' };
const log = createLog(source);
const stopping = stopSignal(log);
const end = endAtOnce(log);
Runtime.install({ shutdownSignals: [] });
await assertMailTransport(core);
await migrate(core.DATABASE_URL, (message) => log.warn(message));

// Two sets of services, because statements of requests have a limit of time and those of the worker have none.
const ofRequests = composeServices(core, log, { ...apiServices, connections, threads: 1 });
const services = composeServices(core, log, { connections, threads: 1 });
fenceEpoch(services, end);
watchMemory({
  log,
  threads: {
    release() {
      ofRequests.threads.release();
      services.threads.release();
    },
  },
});
const api = await prepareApi(ofRequests);
const delivery = await createDelivery(config, services);
await delivery.start();
await api.listen();
reportSending();
// In a process of its own, delivery is watched by the worker.
setInterval(() => {
  if (delivery.runtime.stalledMs >= defaultWatchdogOptions.stalledMs) end('delivery has stalled');
}, defaultWatchdogOptions.checkMs).unref();
stopping.addEventListener('abort', () => {
  setTimeout(
    () => end('stopping took too long'),
    core.DRAIN_SECONDS * 1_000 + drainMs + defaultWatchdogOptions.stopMs,
  ).unref();
});
const apiStopped = new Promise<void>((resolve, reject) => {
  stopping.addEventListener('abort', () => void api.stop(core.DRAIN_SECONDS).then(resolve, reject));
});
await runWorker(config, services, {
  ...{ log, stopping },
  // Its metrics are those of this process.
  mail: { ready: Promise.resolve(), metrics: async () => [], stop: () => delivery.stop() },
  onBundled: () => watchEventLoop(source),
  // The api does.
  judgesClicks: false,
});
await apiStopped;
await Promise.all([ofRequests.close(), services.close()]);
process.exit(0);
