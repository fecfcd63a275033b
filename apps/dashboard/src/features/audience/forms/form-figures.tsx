import { useQuery } from '@tanstack/react-query';
import { useApi } from '../../../lib/api.ts';
import { formatCount, formatDay, formatPercent, plural, shareOf } from '../../../lib/format.ts';
import { EmptyState } from '../../../ui/empty-state.tsx';
import { LoadFailure } from '../../../ui/notice.tsx';
import { Panel } from '../../../ui/panel.tsx';
import { Skeleton } from '../../../ui/skeleton.tsx';
import { TimeChart } from '../../../ui/time-chart.tsx';

/** What became of the sign-ups of the last 30 days. */
export function FormFigures({ formId }: { formId: string }) {
  const figures = useQuery(useApi().forms.figures.queryOptions({ id: formId }));
  if (figures.isPending) return <Skeleton lines={6} label="Loading the figures" />;
  if (!figures.data) return <LoadFailure error={figures.error} retry={figures.refetch} />;
  const { days } = figures.data;
  const sum = (key: 'submitted' | 'confirmed' | 'declined' | 'expired' | 'refused') =>
    days.reduce((total, day) => total + day[key], 0);
  const [submitted, confirmed] = [sum('submitted'), sum('confirmed')];
  return (
    <Panel title={`${plural(submitted, 'sign-up')} in 30 days`}>
      {days.length === 0 ? (
        <EmptyState icon="form" title="Nobody has signed up yet" />
      ) : (
        <>
          <p>
            {formatCount(confirmed)} confirmed ({formatPercent(Math.round(shareOf(confirmed, submitted)))}),{' '}
            {formatCount(sum('declined'))} declined, {formatCount(sum('expired'))} not answered,{' '}
            {formatCount(sum('refused'))} refused.
          </p>
          <TimeChart
            series={[
              { label: 'Signed up', fill: 'sent' },
              { label: 'Confirmed', fill: 'clicked' },
            ]}
            points={days.map((day) => ({
              key: day.day,
              label: formatDay(day.day),
              values: [day.submitted, day.confirmed],
            }))}
            summary={`${plural(submitted, 'sign-up')}, ${formatCount(confirmed)} confirmed, by day`}
            timeHead="Day"
            height={200}
          />
        </>
      )}
    </Panel>
  );
}
