import { useQuery } from '@tanstack/react-query';
import { useApi } from '../../../lib/api.ts';
import { formatDay, plural } from '../../../lib/format.ts';
import { LoadFailure } from '../../../ui/notice.tsx';
import { Panel } from '../../../ui/panel.tsx';
import { Skeleton } from '../../../ui/skeleton.tsx';
import { TimeChart } from '../../../ui/time-chart.tsx';

interface Day {
  day: string;
  count: number;
}

/** @param name only events of this name */
export function DailyEvents({ name }: { name?: string }) {
  const daily = useQuery(useApi().events.daily.queryOptions(name === undefined ? {} : { eventName: name }));
  return (
    <Panel title="Last 30 days">
      {daily.isPending && <Skeleton lines={4} label="Loading the last 30 days" />}
      {daily.isError && !daily.data && <LoadFailure error={daily.error} retry={daily.refetch} />}
      {daily.data && <DailyChart days={daily.data} />}
    </Panel>
  );
}

/** One bar per day (UTC). */
function DailyChart({ days }: { days: Day[] }) {
  const all = plural(
    days.reduce((sum, { count }) => sum + count, 0),
    'event',
  );
  return (
    <TimeChart
      series={[{ label: 'Events', fill: 'sent' }]}
      points={days.map(({ day, count }) => ({ key: day, label: formatDay(day), values: [count] }))}
      summary={`${all} in the last 30 days`}
      caption={`${all}, by day (UTC)`}
      timeHead="Day"
      height={132}
    />
  );
}
