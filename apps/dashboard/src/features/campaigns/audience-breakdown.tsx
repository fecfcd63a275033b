import type { Campaign } from '../../lib/api.ts';
import { Button } from '../../ui/button.tsx';
import { LoadFailure } from '../../ui/notice.tsx';
import { Panel } from '../../ui/panel.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { AudienceSummary } from './audience-summary.tsx';
import { choiceOf, useAudience } from './use-live-audience.ts';

/** How many contacts would receive the campaign now, and how many would not, by reason. */
export function AudienceBreakdown({ campaign }: { campaign: Campaign }) {
  const audience = useAudience(choiceOf(campaign));
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
      {!audience.data && !audience.error && <Skeleton lines={3} label="Counting the audience" />}
      {audience.error && <LoadFailure error={audience.error} retry={audience.refetch} />}
      {audience.data && <AudienceSummary audience={audience.data} busy={audience.isFetching} />}
    </Panel>
  );
}
