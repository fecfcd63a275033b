import type { Overview } from '../../lib/api.ts';
import { formatCount, formatHour, plural } from '../../lib/format.ts';
import { TimeChart } from '../../ui/time-chart.tsx';

type Hours = Overview['series'];

/** Emails of the last 24 hours, one bar per hour: sent, with failed on top. */
export const HourlyChart = ({ hours }: { hours: Hours }) => (
  <TimeChart
    kind="bars"
    series={[
      { label: 'Sent', fill: 'sent' },
      { label: 'Failed', fill: 'failed' },
    ]}
    points={hours.map(({ bucket, sent, failed }) => ({
      key: bucket,
      label: formatHour(bucket),
      values: [sent, failed],
    }))}
    summary={summary(hours)}
    timeHead="Hour"
    height={208}
  />
);

function summary(hours: Hours): string {
  const sent = hours.reduce((sum, hour) => sum + hour.sent, 0);
  const failed = hours.reduce((sum, hour) => sum + hour.failed, 0);
  const peak = hours.reduce((best, hour) => (hour.sent > best.sent ? hour : best), {
    bucket: '',
    sent: 0,
    failed: 0,
  });
  const words = `Last 24 hours: ${plural(sent, 'email')} sent, ${formatCount(failed)} failed`;
  return peak.sent === 0
    ? words
    : `${words}; peak of ${formatCount(peak.sent)} in the hour from ${formatHour(peak.bucket)}`;
}
