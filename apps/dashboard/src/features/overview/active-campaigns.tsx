import { Link } from 'react-router';
import type { Overview } from '../../lib/api.ts';
import { useProjectPath } from '../../lib/current.ts';
import { formatCount, formatPercent, plural, shareOf } from '../../lib/format.ts';
import { OutcomeBar } from '../../ui/outcome-bar.tsx';
import { CampaignStatus } from '../campaigns/campaign-status.tsx';
import styles from './active-campaigns.module.css';

type ActiveCampaign = Overview['activeCampaigns'][number];

/** Scheduled, sending and recently sent campaigns with their progress. */
export function ActiveCampaigns({ campaigns }: { campaigns: ActiveCampaign[] }) {
  const to = useProjectPath();
  if (campaigns.length === 0) {
    return (
      <p className={styles.none}>
        No active campaigns. <Link to={to('campaigns/new')}>Create one</Link>
      </p>
    );
  }
  return (
    <ul className={styles.list}>
      {campaigns.map((campaign) => {
        return (
          <li key={campaign.id} className={styles.item}>
            <div className={styles.head}>
              <Link to={to(`campaigns/${campaign.id}`)}>{campaign.name}</Link>
              <CampaignStatus status={campaign.status} />
            </div>
            {campaign.status !== 'SCHEDULED' && <OutcomeBar outcomes={campaign} />}
            <p className={styles.count}>{progressInWords(campaign)}</p>
          </li>
        );
      })}
    </ul>
  );
}

function progressInWords({ status, totalRecipients, pendingCount }: ActiveCampaign): string {
  if (status !== 'SENDING') return plural(totalRecipients, 'recipient');
  const settled = totalRecipients - pendingCount;
  const share = formatPercent(Math.floor(shareOf(settled, totalRecipients)));
  return `${formatCount(settled)} of ${formatCount(totalRecipients)} processed (${share})`;
}
