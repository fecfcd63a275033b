import type { Services } from '../../base/kernel/index.ts';
import { monthOf } from './billing.rules.ts';
import { fixReports, markReported, type ReportableUsage } from './report.store.ts';

/** Reports in flight at the same time: the provider limits requests per second. */
const atOnce = 5;

/**
 * Reports the usage of projects with a subscription to the payment provider, if it bills by usage. A report that is interrupted is
 * repeated with the same identifier, so that it counts once.
 *
 * @throws AggregateError when some reports failed; the others are done
 */
export async function reportUsage({ payments, database }: Services, now = new Date()): Promise<number> {
  if (!payments || !(await payments.countsUsage())) return 0;
  const reports = await fixReports(database.prisma);
  const failures: unknown[] = [];
  const report = async (each: ReportableUsage): Promise<void> => {
    const { projectId, month, customer, reported, reporting } = each;
    const lastInstant = new Date(monthOf(new Date(month)).end.getTime() - 1_000);
    await payments.reportUsage({
      customer,
      quantity: reporting - reported,
      identifier: `postrider/${projectId}/${month}/${reporting}`,
      at: now < lastInstant ? now : lastInstant,
    });
    await markReported(database.prisma, each);
  };
  for (let from = 0; from < reports.length; from += atOnce) {
    const results = await Promise.allSettled(reports.slice(from, from + atOnce).map(report));
    for (const result of results) if (result.status === 'rejected') failures.push(result.reason);
  }
  if (failures.length > 0) throw new AggregateError(failures, 'not all usage could be reported');
  return reports.length;
}
