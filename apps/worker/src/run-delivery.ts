import { createMailTransport } from '@postrider/core/adapters';
import { createCloser, createGuard } from '@postrider/core/automation/campaigns';
import type { Services } from '@postrider/core/base/kernel';
import { configuredRoute, DeliveryRuntime } from '@postrider/core/mail/delivery';
import { createSimulatorTasks, simulatorRoute } from '@postrider/core/mail/simulator';
import type { WorkerConfig } from './env.ts';

/** Delivery of a process, whichever else runs in it. */
export interface RunningDelivery {
  runtime: DeliveryRuntime;
  /** Claims what is due from now on. */
  start(): Promise<void>;
  stop(): Promise<void>;
}

/** It needs PostgreSQL and the mail server; without Temporal email is still delivered. */
export async function createDelivery(config: WorkerConfig, services: Services): Promise<RunningDelivery> {
  const transport = await createMailTransport(config.core, {
    connections: config.smtpConnections,
    processes: Math.max(1, config.mailWorkers),
  });
  const routes = [configuredRoute(config.core, transport), simulatorRoute(services)] as const;
  const runtime = new DeliveryRuntime(services, routes, config.delivery, {
    onCampaignCounted: createGuard(services),
    onCampaignDrained: createCloser(services),
  });
  const simulated = createSimulatorTasks(services);
  return {
    runtime,
    async start() {
      await runtime.prepare();
      runtime.start();
      simulated.start();
    },
    async stop() {
      await Promise.all([
        runtime.stop(),
        Promise.race([simulated.stop(), new Promise((resolve) => setTimeout(resolve, 2_000))]),
      ]);
    },
  };
}
