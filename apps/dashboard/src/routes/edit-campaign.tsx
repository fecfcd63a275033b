import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useNavigate, useParams } from 'react-router';
import { EditCampaignForm } from '../features/campaigns/edit-campaign-form.tsx';
import { useApi } from '../lib/api.ts';
import { useProjectPath } from '../lib/current.ts';
import { LoadFailure, Notice } from '../ui/notice.tsx';
import { Page } from '../ui/page.tsx';
import { Skeleton } from '../ui/skeleton.tsx';

export function EditCampaignRoute() {
  const { campaignId = '' } = useParams();
  const to = useProjectPath();
  const navigate = useNavigate();
  const [version, setVersion] = useState(0);
  const campaign = useQuery(useApi().campaigns.get.queryOptions({ id: campaignId }));
  const status = campaign.data?.status;
  const isOpen = status === 'DRAFT' || status === 'SCHEDULED';
  const reload = async () => {
    const { data } = await campaign.refetch();
    if (data?.status === 'DRAFT' || data?.status === 'SCHEDULED') setVersion((count) => count + 1);
    else await navigate(to(`campaigns/${campaignId}`));
  };
  return (
    <Page
      wide
      title="Edit campaign"
      back={{ to: to(`campaigns/${campaignId}`), label: campaign.data?.name ?? 'Campaign' }}
    >
      {campaign.data && !isOpen && (
        <Notice tone="warn" title="This campaign can no longer be edited">
          <p>Sending has started or ended. Duplicate the campaign to send it again with changes.</p>
        </Notice>
      )}
      {campaign.isPending && <Skeleton lines={10} label="Loading the campaign" />}
      {campaign.isError && !campaign.data && <LoadFailure error={campaign.error} retry={campaign.refetch} />}
      {campaign.data && (
        <EditCampaignForm
          key={`${campaignId} ${version}`}
          campaign={campaign.data}
          onReload={() => void reload()}
        />
      )}
    </Page>
  );
}
