import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useNavigate, useParams } from 'react-router';
import { useDuplicateCampaign } from '../features/campaigns/duplicate-campaign.tsx';
import { EditCampaignForm } from '../features/campaigns/edit-campaign-form.tsx';
import { type Campaign, useApi } from '../lib/api.ts';
import { useProjectPath } from '../lib/current.ts';
import { Button } from '../ui/button.tsx';
import { EmptyState } from '../ui/empty-state.tsx';
import { LoadFailure, Notice } from '../ui/notice.tsx';
import { Page } from '../ui/page.tsx';
import { Frame } from '../ui/panel.tsx';
import { Skeleton } from '../ui/skeleton.tsx';

export function Component() {
  const { campaignId = '' } = useParams();
  const to = useProjectPath();
  const navigate = useNavigate();
  const [version, setVersion] = useState(0);
  const campaign = useQuery(useApi().campaigns.get.queryOptions({ id: campaignId }));
  const reload = async () => {
    const { data } = await campaign.refetch();
    if (data && isEditable(data)) setVersion((count) => count + 1);
    else await navigate(to(`campaigns/${campaignId}`));
  };
  return (
    <Page
      wide
      title="Edit campaign"
      back={{ to: to(`campaigns/${campaignId}`), label: campaign.data?.name ?? 'Campaign' }}
    >
      {campaign.isPending && <Skeleton lines={10} label="Loading the campaign" />}
      {campaign.isError && !campaign.data && <LoadFailure error={campaign.error} retry={campaign.refetch} />}
      {campaign.data && (
        <Editing key={`${campaignId} ${version}`} campaign={campaign.data} onReload={() => void reload()} />
      )}
    </Page>
  );
}

const isEditable = ({ status }: Campaign): boolean => status === 'DRAFT' || status === 'SCHEDULED';

/** The form stays when sending starts while it is open, because it may have changes that are not saved. */
function Editing({ campaign, onReload }: { campaign: Campaign; onReload: () => void }) {
  const [wasEditable] = useState(() => isEditable(campaign));
  if (!wasEditable) return <NotEditable campaign={campaign} />;
  return (
    <>
      {!isEditable(campaign) && (
        <Notice tone="warn" title={closed}>
          <p>{advice}</p>
        </Notice>
      )}
      <EditCampaignForm campaign={campaign} onReload={onReload} />
    </>
  );
}

const closed = 'This campaign can no longer be edited';
const advice = 'Sending has started or ended. Duplicate the campaign to send it again with changes.';

function NotEditable({ campaign }: { campaign: Campaign }) {
  const { label, icon, pending, run } = useDuplicateCampaign(campaign);
  return (
    <Frame label={closed}>
      <EmptyState
        icon="campaign"
        title={closed}
        action={
          <Button kind="primary" icon={icon} pending={pending} onClick={run}>
            {label}
          </Button>
        }
      >
        <p>{advice}</p>
      </EmptyState>
    </Frame>
  );
}
