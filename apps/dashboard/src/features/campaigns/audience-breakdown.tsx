import { useQuery } from '@tanstack/react-query';
import { type Campaign, useApi } from '../../lib/api.ts';
import { Button } from '../../ui/button.tsx';
import { LoadFailure } from '../../ui/notice.tsx';
import { Panel } from '../../ui/panel.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { AudienceSummary } from './audience-summary.tsx';

/** How many contacts would receive the campaign now, and how many would not, by reason. */
export function AudienceBreakdown({ campaign: { id } }: { campaign: Campaign }) {
  const audience = useQuery({
    ...useApi().campaigns.audience.queryOptions({ id }),
    // Counting is expensive in a large project, so it is not repeated on every window focus.
    refetchOnWindowFocus: false,
  });
  return (
    <Panel
      title="Recipients"
      aside={
        <Button
          kind="quiet"
          small
          icon="refresh"
          pending={audience.isFetching}
          onClick={() => void audience.refetch()}
        >
          Recount
        </Button>
      }
    >
      {audience.isPending && <Skeleton lines={3} label="Counting the audience" />}
      {audience.isError && !audience.data && <LoadFailure error={audience.error} retry={audience.refetch} />}
      {audience.data && <AudienceSummary audience={audience.data} busy={audience.isFetching} />}
    </Panel>
  );
}
