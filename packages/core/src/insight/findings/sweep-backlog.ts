import type { Pool } from 'pg';
import { jobKeptMs } from '../../audience/contacts/index.ts';
import type { CoreConfig } from '../../base/kernel/index.ts';
import { longestKeptMs } from '../../base/slices/index.ts';
import { auditKeptMs } from '../../people/audit/retention.rules.ts';
import { signInKeptMs } from '../../people/users/retention.rules.ts';
import { deliveryKeptMs } from '../webhook-endpoints/retention.rules.ts';
import { type Kept, readSweepBacklogOf } from './queues.store.ts';

export const keptBy = (config: Pick<CoreConfig, 'IDEMPOTENCY_TTL_HOURS'>): Kept => ({
  idempotencyKeys: config.IDEMPOTENCY_TTL_HOURS * 3_600_000,
  signIns: signInKeptMs,
  webhookDeliveries: deliveryKeptMs,
  webhookDeliveriesInSlices: longestKeptMs('WebhookDelivery', {}) ?? deliveryKeptMs,
  jobs: jobKeptMs,
  auditLog: auditKeptMs,
});

/** By kind of rows, for how many seconds the oldest could have been removed; 0 while nothing of it has expired. */
export async function readSweepBacklog(
  pool: Pool,
  config: Pick<CoreConfig, 'IDEMPOTENCY_TTL_HOURS'>,
): Promise<ReadonlyMap<string, number>> {
  const rows = await readSweepBacklogOf(pool, keptBy(config));
  return new Map(rows.map(({ kind, seconds }) => [kind, Math.max(0, seconds)]));
}
