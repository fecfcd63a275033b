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
  startTracing,
  watchEventLoop,
  watchMemory,
} from '@postrider/core/adapters';
import { settleMigrations } from '@postrider/core/base/db';
import { joinInstallation } from '@postrider/core/people/installation';
import { Runtime } from '@temporalio/worker';
import { readWorkerConfig } from './env.ts';
import { endAtOnce, endInOrder, reportSending, stopSignal, waitForSchema } from './process.ts';
import { createDelivery } from './run-delivery.ts';
import { runWorker } from './run-worker.ts';
import { defaultWatchdogOptions } from './watchdog.ts';

/** Of each pool of the api, and of the worker with delivery. */
const connections = 4;

const config = readWorkerConfig({ ...process.env, PROFILE: 'small' });
const { core } = config;
const source = { level: core.LOG_LEVEL, name: 'small' };
const log = createLog(source);
const stopping = stopSignal(log);
const end = endAtOnce(log);
Runtime.install({ shutdownSignals: [] });
await assertMailTransport(core);
const stopTracing = await startTracing(core, { process: 'small', log });
await waitForSchema(core, log, stopping);

// Two sets of services, because statements of requests have a limit of time and those of the worker have none.
const ofRequests = composeServices(core, log, { ...apiServices, connections, threads: 1 });
const services = composeServices(core, log, { connections, threads: 1 });
// What runs in it counts as three, as in processes of their own.
const join = (kind: 'api' | 'worker' | 'delivery') =>
  joinInstallation(services, { kind, onRestored: end, onMisfit: endInOrder(log) });
const [ofApi, ofWorker, ofDelivery] = [join('api'), join('worker'), join('delivery')];
const settled = settleMigrations({ url: core.DATABASE_URL, mode: core.MIGRATE, log }, stopping);
watchMemory({
  log,
  threads: {
    release() {
      ofRequests.threads.release();
      services.threads.release();
    },
  },
});
const api = await prepareApi(ofRequests, ofApi.share);
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
  ...{ log, stopping, share: ofWorker.share },
  // Its metrics are those of this process.
  mail: { ready: Promise.resolve(), metrics: async () => [], stop: () => delivery.stop() },
  onBundled: () => watchEventLoop(source),
  // The api does.
  judgesClicks: false,
}).catch(async (error: unknown) => {
  if (!stopping.aborted) throw error;
  // It was stopped while it waited for Temporal: requests and transfers that have begun still end.
  log.warn({ err: error }, 'the worker had not begun');
  await delivery.stop();
});
await apiStopped;
await settled;
await Promise.all([ofApi, ofWorker, ofDelivery].map((membership) => membership.leave()));
await Promise.all([ofRequests.close(), services.close()]);
await stopTracing();
process.exit(0);
