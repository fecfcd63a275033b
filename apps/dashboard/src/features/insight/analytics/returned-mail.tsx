import { useQuery } from '@tanstack/react-query';
import { useApi } from '../../../lib/api.ts';
import { formatDay, plural } from '../../../lib/format.ts';
import { useNow } from '../../../lib/use-now.ts';
import { LoadFailure } from '../../../ui/notice.tsx';
import { Panel } from '../../../ui/panel.tsx';
import { Skeleton } from '../../../ui/skeleton.tsx';
import { TimeChart } from '../../../ui/time-chart.tsx';
import { type Bucket, totalOf } from './facts.rules.ts';
import { choiceOf, periodOf } from './period.rules.ts';

/** Bounces and complaints of the last 30 days. */
export function ReturnedMail() {
  const now = new Date(useNow());
  const { present, tz, granularity } = periodOf(choiceOf(new URLSearchParams(), now), now);
  const timeseries = useQuery(useApi().analytics.timeseries.queryOptions({ ...present, tz, granularity }));
  return (
    <Panel title="Bounces and complaints, last 30 days">
      {timeseries.isPending && <Skeleton lines={5} label="Loading bounces and complaints" />}
      {timeseries.isError && !timeseries.data && (
        <LoadFailure error={timeseries.error} retry={timeseries.refetch} />
      )}
      {timeseries.data && <Chart days={timeseries.data.data} />}
    </Panel>
  );
}

function Chart({ days }: { days: readonly Bucket[] }) {
  const [bounced, complained] = [totalOf(days, 'bounced'), totalOf(days, 'complained')];
  if (bounced + complained === 0) return <p>No emails bounced, and no recipients complained.</p>;
  return (
    <TimeChart
      series={[
        { label: 'Bounces', fill: 'bounced' },
        { label: 'Complaints', fill: 'complained' },
      ]}
      points={days.map((day) => ({
        key: day.bucket,
        label: formatDay(day.bucket),
        values: [day.bounced, day.complained],
      }))}
      summary={`${plural(bounced, 'bounce')} and ${plural(complained, 'complaint')} by day`}
      timeHead="Day"
      height={160}
    />
  );
}
