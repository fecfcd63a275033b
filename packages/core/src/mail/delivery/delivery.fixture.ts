import { createSmtpTransport } from '../../adapters/index.ts';
import type { MailTransport } from '../../base/kernel/ports/mail-transport.ts';
import type { Services } from '../../base/kernel/services.ts';
import { simulatorRoute } from '../simulator/index.ts';
import { type DeliveryOptions, defaultDeliveryOptions } from './delivery-options.ts';
import { type DeliveryHooks, DeliveryRuntime } from './delivery-runtime.ts';
import { configuredRoute } from './route.ts';

export interface TestDeliveryOptions extends Partial<DeliveryOptions>, DeliveryHooks {
  connections?: number;
}

/** One delivery process for tests: short leases and retries, no limit of the rate. `to` is the URL of an SMTP server, or a transport. */
export function startDelivery(
  services: Services,
  to: string | MailTransport,
  { connections = 5, onCampaignDrained, onCampaignCounted, ...options }: TestDeliveryOptions = {},
): DeliveryRuntime {
  const transport =
    typeof to === 'string'
      ? createSmtpTransport({
          url: to,
          connections,
          socketTimeoutMs: 2_000,
          greetingTimeoutMs: 1_000,
          idleTimeoutMs: 2_000,
        })
      : to;
  const runtime = new DeliveryRuntime(
    services,
    [configuredRoute(services.config, transport), simulatorRoute(services)],
    {
      ...defaultDeliveryOptions,
      leaseMs: 4_000,
      pollMs: 200,
      sendRate: 100_000,
      retryScale: 0.001,
      probeSeconds: [0.2],
      stopMs: 5_000,
      ...options,
    },
    { ...(onCampaignDrained && { onCampaignDrained }), ...(onCampaignCounted && { onCampaignCounted }) },
  );
  runtime.start();
  return runtime;
}

/** Runs `work` beside one delivery process. */
export async function withDelivery<T>(
  services: Services,
  to: string | MailTransport,
  work: (runtime: DeliveryRuntime) => Promise<T>,
  options: TestDeliveryOptions = {},
): Promise<T> {
  const runtime = startDelivery(services, to, options);
  try {
    return await work(runtime);
  } finally {
    await runtime.stop();
  }
}

/** Resolves when no email of the project waits or is held. */
export async function drained(services: Services, projectId: string, timeoutMs = 60_000): Promise<void> {
  const until = performance.now() + timeoutMs;
  while ((await services.database.prisma.deliveryBatch.count({ where: { projectId } })) > 0) {
    if (performance.now() > until) throw new Error('email is still waiting');
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

export async function statusesOf(services: Services, projectId: string): Promise<Record<string, number>> {
  const rows = await services.database.prisma.email.groupBy({
    by: ['status'],
    where: { projectId },
    _count: true,
  });
  return Object.fromEntries(rows.map((row) => [row.status, row._count]));
}
