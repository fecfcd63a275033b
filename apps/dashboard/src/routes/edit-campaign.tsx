import { useQuery } from '@tanstack/react-query';
import { useParams } from 'react-router';
import { EditCampaignForm } from '../features/campaigns/edit-campaign-form.tsx';
import { useApi } from '../lib/api.ts';
import { useProjectPath } from '../lib/current.ts';
import { LoadFailure, Notice } from '../ui/notice.tsx';
import { Page } from '../ui/page.tsx';
import { Panel } from '../ui/panel.tsx';
import { Skeleton } from '../ui/skeleton.tsx';

export function EditCampaignRoute() {
  const { campaignId = '' } = useParams();
  const to = useProjectPath();
  const campaign = useQuery(useApi().campaigns.get.queryOptions({ id: campaignId }));
  const status = campaign.data?.status;
  const isOpen = status === 'DRAFT' || status === 'SCHEDULED';
  return (
    <Page
      title="Edit campaign"
      back={{ to: to(`campaigns/${campaignId}`), label: campaign.data?.name ?? 'Campaign' }}
    >
      {campaign.data && !isOpen && (
        <Notice tone="warn" title="This campaign can no longer be edited">
          <p>Sending has started or ended. Duplicate the campaign to send it again with changes.</p>
        </Notice>
      )}
      <Panel title="Campaign">
        {campaign.isPending && <Skeleton lines={10} label="Loading the campaign" />}
        {campaign.isError && !campaign.data && (
          <LoadFailure error={campaign.error} retry={campaign.refetch} />
        )}
        {campaign.data && <EditCampaignForm key={campaignId} campaign={campaign.data} />}
      </Panel>
    </Page>
  );
}
