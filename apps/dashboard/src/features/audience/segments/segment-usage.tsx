import { useQuery } from '@tanstack/react-query';
import { useApi } from '../../../lib/api.ts';
import { Facts } from '../../../ui/facts.tsx';
import { LoadFailure } from '../../../ui/notice.tsx';
import { Panel } from '../../../ui/panel.tsx';
import { Skeleton } from '../../../ui/skeleton.tsx';
import { UsedBy } from '../../common/references/used-by.tsx';

/** What refers to a segment or its events. */
export function SegmentUsage({ id }: { id: string }) {
  const usage = useQuery(useApi().segments.getUsage.queryOptions({ id }));
  return (
    <Panel title="Used in">
      {usage.data ? (
        <Facts>
          <UsedBy name="Workflows" page="workflows" users={usage.data.usedInWorkflows} />
          <UsedBy name="Segments" page="segments" users={usage.data.usedInSegments} />
          <UsedBy name="Campaigns" page="campaigns" users={usage.data.usedInCampaigns} />
          <UsedBy name="Goals" page="goals" users={usage.data.usedInGoals} />
          <UsedBy name="Webhook endpoints" page="webhooks" users={usage.data.usedInWebhookEndpoints} />
        </Facts>
      ) : usage.isError ? (
        <LoadFailure error={usage.error} retry={usage.refetch} />
      ) : (
        <Skeleton lines={4} label="Loading what uses the segment" />
      )}
    </Panel>
  );
}
