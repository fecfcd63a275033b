import { Link } from 'react-router';
import { CampaignForm } from '../features/campaigns/campaign-form.tsx';
import { useSender } from '../features/domains/use-sender.ts';
import { useProjectPath } from '../lib/current.ts';
import { Notice } from '../ui/notice.tsx';
import { Page } from '../ui/page.tsx';
import { Panel } from '../ui/panel.tsx';
import { Skeleton } from '../ui/skeleton.tsx';

export function NewCampaignRoute() {
  const to = useProjectPath();
  const { address, isRefused, isKnown } = useSender();
  return (
    <Page
      title="New campaign"
      back={{ to: to('campaigns'), label: 'Campaigns' }}
      intro="It goes to all contacts of the project whom its class may reach; the audience is fixed at the moment of sending."
    >
      {isRefused && (
        <Notice tone="warn" title="No verified domain yet">
          <p>
            A campaign can be saved once <Link to={to('domains')}>its sender's domain is verified</Link>.
          </p>
        </Notice>
      )}
      <Panel title="Campaign">
        {isKnown ? (
          <CampaignForm from={isRefused ? '' : address} />
        ) : (
          <Skeleton lines={10} label="Loading the form" />
        )}
      </Panel>
    </Page>
  );
}
