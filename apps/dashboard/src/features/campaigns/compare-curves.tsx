import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useApi } from '../../lib/api.ts';
import { LoadFailure } from '../../ui/notice.tsx';
import { Panel } from '../../ui/panel.tsx';
import { RateChart } from '../../ui/rate-chart.tsx';
import { Segments } from '../../ui/segments.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { ratesByHour } from './curves.rules.ts';

const figures = [
  { value: 'opened', label: 'Opened' },
  { value: 'clicked', label: 'Clicked' },
] as const;
type Figure = (typeof figures)[number]['value'];

/** How fast campaigns were opened and clicked, by the hours since each was sent. */
export function CompareCurves({ ids }: { ids: readonly string[] }) {
  const [figure, setFigure] = useState<Figure>('opened');
  const comparison = useQuery(
    useApi().analytics.compareCampaigns.queryOptions({ campaignIds: ids.join(',') }),
  );
  if (comparison.isPending) return <Skeleton lines={6} label="Loading the curves" />;
  if (!comparison.data) return <LoadFailure error={comparison.error} retry={comparison.refetch} />;
  const { data } = comparison.data;
  const points = ratesByHour(data, figure);
  if (points.length === 0) return null;
  const label = figure === 'opened' ? 'Opened' : 'Clicked';
  return (
    <Panel
      title="In the first three days"
      aside={<Segments label="Figure" options={figures} value={figure} onChange={setFigure} />}
    >
      <RateChart
        series={data.map(({ id, name }) => ({ key: id, label: name }))}
        points={points.map(({ hour, rates }) => ({
          key: String(hour),
          label: `${hour + 1} h`,
          values: rates,
        }))}
        summary={`${label} in percent of the emails sent, by hours since each campaign was sent`}
        pointHead="After"
        height={240}
      />
    </Panel>
  );
}
