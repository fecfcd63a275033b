import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { CampaignFigures } from '../features/analytics/campaign-figures.tsx';
import { type PeriodName, periods, queryOf } from '../features/analytics/periods.rules.ts';
import { Series } from '../features/analytics/series.tsx';
import { TopEvents } from '../features/analytics/top-events.tsx';
import { useApi } from '../lib/api.ts';
import { idle } from '../lib/polling.ts';
import { LoadFailure } from '../ui/notice.tsx';
import { Page } from '../ui/page.tsx';
import { Skeleton } from '../ui/skeleton.tsx';
import { Choice } from '../ui/toolbar.tsx';

const live = { placeholderData: keepPreviousData, refetchInterval: idle };

export function AnalyticsRoute() {
  const [name, setName] = useState<PeriodName>('30');
  const period = queryOf(name, new Date());
  const { analytics } = useApi();
  const granularity = name === '1' ? 'hour' : 'day';
  const timeseries = useQuery({ ...analytics.timeseries.queryOptions({ ...period, granularity }), ...live });
  const campaigns = useQuery({ ...analytics.campaignStats.queryOptions(period), ...live });
  const events = useQuery({ ...analytics.topEvents.queryOptions(period), ...live });
  const failed = [timeseries, campaigns, events].find(({ isError, data }) => isError && !data);
  return (
    <Page
      title="Analytics"
      intro={`Emails count at the time of each fact, in the time zone ${period.tz}.`}
      actions={<Choice label="Period" value={name} options={periods} onChange={setName} />}
    >
      {failed && <LoadFailure error={failed.error} retry={failed.refetch} />}
      {timeseries.isPending && <Skeleton lines={8} label="Loading figures" />}
      {timeseries.data && <Series timeseries={timeseries.data} />}
      {campaigns.data && <CampaignFigures analytics={campaigns.data} />}
      {events.data && <TopEvents names={events.data} />}
    </Page>
  );
}
