import { Link } from 'react-router';
import { CampaignForm } from '../features/campaigns/campaign-form.tsx';
import { useSender } from '../features/domains/use-sender.ts';
import { useProjectPath } from '../lib/current.ts';
import { Notice } from '../ui/notice.tsx';
import { Page } from '../ui/page.tsx';
import { Panel } from '../ui/panel.tsx';

export function NewCampaignRoute() {
  const to = useProjectPath();
  const { address, isRefused } = useSender();
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
        <CampaignForm key={address} from={isRefused ? '' : address} />
      </Panel>
    </Page>
  );
}
