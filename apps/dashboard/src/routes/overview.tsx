import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { LatestEmails } from '../features/emails/latest-emails.tsx';
import { PeriodBar } from '../features/insight/analytics/period-bar.tsx';
import { Series } from '../features/insight/analytics/series.tsx';
import { usePeriod } from '../features/insight/analytics/use-period.ts';
import { Attention } from '../features/insight/overview/attention.tsx';
import { FirstSteps } from '../features/insight/overview/first-steps.tsx';
import styles from '../features/insight/overview/overview.module.css';
import { RunningNow } from '../features/insight/overview/running-now.tsx';
import { type Overview, useApi } from '../lib/api.ts';
import { useProjectPath } from '../lib/current.ts';
import { ButtonLink } from '../ui/button.tsx';
import { LoadFailure } from '../ui/notice.tsx';
import { Page } from '../ui/page.tsx';
import { Skeleton } from '../ui/skeleton.tsx';

export function Component() {
  const to = useProjectPath();
  const overview = useQuery(useApi().analytics.overview.queryOptions({}));
  return (
    <Page
      title="Overview"
      actions={
        <ButtonLink to={to('campaigns/new')} icon="plus">
          New campaign
        </ButtonLink>
      }
    >
      {overview.isPending && <Skeleton lines={8} label="Loading figures" />}
      {overview.isError && !overview.data && <LoadFailure error={overview.error} retry={overview.refetch} />}
      {overview.data && <OverviewBody overview={overview.data} />}
    </Page>
  );
}

function OverviewBody({ overview }: { overview: Overview }) {
  const { choice, period, setParams } = usePeriod('7');
  const { present, previous, tz, granularity } = period;
  const { analytics } = useApi();
  const timeseries = useQuery({
    ...analytics.timeseries.queryOptions({ ...present, tz, granularity }),
    placeholderData: keepPreviousData,
  });
  const before = useQuery({
    ...analytics.timeseries.queryOptions({ ...previous, tz, granularity }),
    placeholderData: keepPreviousData,
  });
  return (
    <>
      <FirstSteps overview={overview} />
      <PeriodBar choice={choice} onChange={setParams} />
      {timeseries.isPending && <Skeleton lines={8} label="Loading figures" />}
      {timeseries.isError && !timeseries.data && (
        <LoadFailure error={timeseries.error} retry={timeseries.refetch} />
      )}
      {timeseries.data && <Series timeseries={timeseries.data} before={before.data} />}
      <div className={styles.columns}>
        <RunningNow overview={overview} />
        <Attention overview={overview} />
      </div>
      <LatestEmails />
    </>
  );
}
