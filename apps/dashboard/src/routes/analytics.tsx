import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Breakdowns } from '../features/insight/analytics/breakdowns.tsx';
import { CampaignFigures } from '../features/insight/analytics/campaign-figures.tsx';
import { Growth } from '../features/insight/analytics/growth.tsx';
import { PeriodBar } from '../features/insight/analytics/period-bar.tsx';
import { Series } from '../features/insight/analytics/series.tsx';
import { TopEvents } from '../features/insight/analytics/top-events.tsx';
import { usePeriod } from '../features/insight/analytics/use-period.ts';
import { useApi } from '../lib/api.ts';
import { useProjectPath } from '../lib/current.ts';
import { ButtonLink } from '../ui/button.tsx';
import { LoadFailure } from '../ui/notice.tsx';
import { Page } from '../ui/page.tsx';
import { Skeleton } from '../ui/skeleton.tsx';

const live = { placeholderData: keepPreviousData };

export function Component() {
  const to = useProjectPath();
  const { choice, period, setParams } = usePeriod();
  const { present, previous, tz, granularity } = period;
  const { analytics } = useApi();
  const timeseries = useQuery({
    ...analytics.timeseries.queryOptions({ ...present, tz, granularity }),
    ...live,
  });
  const before = useQuery({
    ...analytics.timeseries.queryOptions({ ...previous, tz, granularity }),
    placeholderData: keepPreviousData,
  });
  const campaigns = useQuery({ ...analytics.campaignStats.queryOptions({ ...present, tz }), ...live });
  const events = useQuery({ ...analytics.topEvents.queryOptions({ ...present, tz }), ...live });
  const failed = [timeseries, campaigns, events].find(({ isError, data }) => isError && !data);
  return (
    <Page
      title="Analytics"
      actions={<ButtonLink to={to('reputation')}>Reputation</ButtonLink>}
      intro="Opens, clicks and bounces count on the day they happen. Trends compare with the previous period."
    >
      <PeriodBar choice={choice} onChange={setParams} />
      {failed && <LoadFailure error={failed.error} retry={failed.refetch} />}
      {timeseries.isPending && <Skeleton lines={8} label="Loading figures" />}
      {timeseries.data && <Series timeseries={timeseries.data} before={before.data} />}
      {timeseries.data && <Breakdowns period={period} />}
      {campaigns.data && <CampaignFigures analytics={campaigns.data} />}
      <Growth period={period} />
      {events.data && <TopEvents names={events.data} />}
    </Page>
  );
}
