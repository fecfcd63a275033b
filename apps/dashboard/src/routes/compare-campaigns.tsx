import { useQueries } from '@tanstack/react-query';
import { useSearchParams } from 'react-router';
import { comparedIn, fewestCompared, mostCompared } from '../features/campaigns/compare.rules.ts';
import { CompareCampaigns } from '../features/campaigns/compare-campaigns.tsx';
import { CompareCurves } from '../features/campaigns/compare-curves.tsx';
import { useApi } from '../lib/api.ts';
import { useProjectPath } from '../lib/current.ts';
import { ButtonLink } from '../ui/button.tsx';
import { EmptyState } from '../ui/empty-state.tsx';
import { LoadFailure } from '../ui/notice.tsx';
import { Page } from '../ui/page.tsx';
import { Frame } from '../ui/panel.tsx';
import { Skeleton } from '../ui/skeleton.tsx';

/** Campaigns that were chosen in the list, side by side. */
export function Component() {
  const to = useProjectPath();
  const [params] = useSearchParams();
  const ids = comparedIn(params);
  return (
    <Page
      title="Compare campaigns"
      back={{ to: to('campaigns'), label: 'Campaigns' }}
      intro="Rates are percent of the emails sent; those of accepted and bounced emails, of the emails sent or refused. A bar is in proportion to the highest rate of its row."
    >
      {ids.length < fewestCompared ? (
        <Frame label="Comparison">
          <EmptyState
            icon="chart"
            title={`Select ${fewestCompared} to ${mostCompared} campaigns`}
            action={<ButtonLink to={to('campaigns')}>Select campaigns</ButtonLink>}
          />
        </Frame>
      ) : (
        <Comparison ids={ids} />
      )}
    </Page>
  );
}

function Comparison({ ids }: { ids: readonly string[] }) {
  const { campaigns } = useApi();
  const records = useQueries({ queries: ids.map((id) => campaigns.get.queryOptions({ id })) });
  const figures = useQueries({ queries: ids.map((id) => campaigns.stats.queryOptions({ id })) });
  const failed = [...records, ...figures].find(({ isError, data }) => isError && !data);
  if (failed) return <LoadFailure error={failed.error} retry={failed.refetch} />;
  const compared = records.flatMap(({ data: campaign }, index) => {
    const stats = figures[index]?.data;
    return campaign && stats ? [{ campaign, stats }] : [];
  });
  if (compared.length < ids.length) return <Skeleton lines={8} label="Loading the comparison" />;
  return (
    <>
      <CompareCampaigns compared={compared} />
      <CompareCurves ids={ids} />
    </>
  );
}
