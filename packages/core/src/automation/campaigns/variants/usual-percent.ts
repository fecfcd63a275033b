import type { Db } from '../../../base/db/index.ts';
import { usualRate } from './test-figures.store.ts';
import type { TestMetric } from './variants.rules.ts';

const factOf = { CLICKS: 'clicked', OPENS: 'opened', GOAL: null, REVENUE: null } as const;

/** The usual rate of a project within some hours, in percent with two decimals; null without history, and for goals. */
export async function usualPercent(
  db: Db,
  projectId: string,
  metric: TestMetric,
  hours: number,
): Promise<number | null> {
  const fact = factOf[metric];
  const rate = fact && (await usualRate(db, projectId, { hours, fact }));
  return rate === null ? null : Math.round(rate * 100) / 100;
}
