import type { readReceived } from '@postrider/core/mail/news';
import { Counter } from 'prom-client';

const reports = new Counter({
  name: 'postrider_reports_total',
  help: 'Reports about emails that were received, by kind, finality of a bounce, and whether they are proven',
  labelNames: ['kind', 'class', 'proven'],
});

/** Counts a report about one email; one that leaves nothing is not counted. */
export function countReport(
  result: Awaited<ReturnType<typeof readReceived>>['results'][number],
  isProven: boolean,
): void {
  if (result === null) return;
  const bounceType = result.kind === 'bounce' ? result.bounceType.toLowerCase() : '';
  reports.inc({ kind: result.kind, class: bounceType, proven: String(isProven) });
}
