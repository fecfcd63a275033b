import type { Db } from '../../base/db/index.ts';
import { totalCapOf, usageOf } from './billing.rules.ts';
import type { BilledProject } from './billing.store.ts';
import { readUsage } from './usage.store.ts';

/** The caps of a project with the usage of this month. */
export async function presentLimits(db: Db, { id, subscription, currency, caps }: BilledProject) {
  const usage = await readUsage(db, id);
  const totalCap = totalCapOf(subscription, caps);
  const total = usage.workflows + usage.campaigns + usage.transactional;
  return {
    currency: currency ?? 'usd',
    total: totalCap === null ? null : usageOf(total, totalCap),
    workflows: usageOf(usage.workflows, caps.workflows),
    campaigns: usageOf(usage.campaigns, caps.campaigns),
    transactional: usageOf(usage.transactional, caps.transactional),
  };
}
