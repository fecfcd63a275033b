import { availableParallelism } from 'node:os';
import { type CoreConfig, parseEnv, readConfig } from '@postrider/core/base/kernel';
import { type DeliveryOptions, defaultDeliveryOptions } from '@postrider/core/mail/delivery';
import { z } from 'zod';

const seconds = z.coerce.number().positive();

/** Connections to the mail server by default, where one process does everything. */
const connectionsOfSmall = 16;

/** Settings that only workers read. The defaults are the product's behaviour; tests use shorter times. */
export const workerEnv = z.object({
  SMTP_CONNECTIONS: z.coerce.number().int().min(3).default(64),
  DELIVERY_LEASE_SECONDS: seconds.min(1).default(60),
  DELIVERY_RETRY_SCALE: z.coerce.number().positive().default(1),
  ROUTE_PROBE_SECONDS: z
    .string()
    .default('5,15,60')
    .transform((text) => text.split(',').map(Number))
    .refine((delays) => delays.every((delay) => delay > 0), 'must be a comma list of seconds'),
  WORKER_METRICS_PORT: z.coerce.number().int().min(1).max(65_535).optional(),
  WORKER_HEALTH_FILE: z.string().optional(),
  RECONCILE_SECONDS: z.coerce.number().int().min(1).default(60),
  RECONCILE_OVERDUE_SECONDS: seconds.min(1).default(60),
});

export interface WorkerConfig {
  core: CoreConfig;
  delivery: DeliveryOptions;
  smtpConnections: number;
  mailWorkers: number;
  reconcileSeconds: number;
  /** port of the metrics of the worker's main process */
  metricsPort: number | undefined;
  /** a file that is touched every 5 seconds */
  healthFile: string | undefined;
  /** how long after its due time a row is overdue */
  overdueSeconds: number;
}

/** The worker's part alone. @throws ConfigError naming every invalid variable */
export const parseWorkerEnv = (
  env: Readonly<Record<string, string | undefined>>,
): z.output<typeof workerEnv> => parseEnv(workerEnv, env);

/** @throws ConfigError naming every invalid variable of the core's part, or else of the worker's */
export function readWorkerConfig(env: Readonly<Record<string, string | undefined>>): WorkerConfig {
  const core = readConfig(env);
  const given = parseWorkerEnv(env);
  const isSmall = core.PROFILE === 'small';
  return {
    core,
    smtpConnections: isSmall && !env['SMTP_CONNECTIONS'] ? connectionsOfSmall : given.SMTP_CONNECTIONS,
    mailWorkers: isSmall ? 1 : (core.MAIL_WORKERS ?? Math.max(1, availableParallelism() - 1)),
    reconcileSeconds: given.RECONCILE_SECONDS,
    metricsPort: given.WORKER_METRICS_PORT,
    healthFile: given.WORKER_HEALTH_FILE,
    overdueSeconds: given.RECONCILE_OVERDUE_SECONDS,
    delivery: {
      ...defaultDeliveryOptions,
      leaseMs: given.DELIVERY_LEASE_SECONDS * 1_000,
      sendRate: core.SEND_RATE_PER_SECOND,
      retryScale: given.DELIVERY_RETRY_SCALE,
      probeSeconds: given.ROUTE_PROBE_SECONDS,
    },
  };
}
