import type { ReactNode } from 'react';
import { Link } from 'react-router';
import type { Overview } from '../../../lib/api.ts';
import { useProjectPath } from '../../../lib/current.ts';
import { formatCount, formatPercent, plural, shareOf } from '../../../lib/format.ts';
import { OutcomeBar } from '../../../ui/outcome-bar.tsx';
import { Panel } from '../../../ui/panel.tsx';
import { CampaignStatus, waitInWords } from '../../campaigns/campaign-status.tsx';
import { RunningJobs } from './running-jobs.tsx';
import styles from './running-now.module.css';

type ActiveCampaign = Overview['activeCampaigns'][number];

/** What runs at the moment, and below it what runs next and what has just ended. */
export function RunningNow({ overview }: { overview: Overview }) {
  const { activeCampaigns, jobs, waitingExecutions } = overview;
  const having = (wanted: ActiveCampaign['status']) =>
    activeCampaigns.filter(({ status }) => status === wanted);
  const sending = having('SENDING');
  const isCalm = sending.length === 0 && jobs.length === 0 && waitingExecutions === 0;
  return (
    <Panel title="Running now">
      {isCalm && <NothingRuns />}
      <RunningJobs overview={overview} />
      {sending.length > 0 && <CampaignList campaigns={sending} />}
      <Others title="Scheduled" campaigns={having('SCHEDULED')} />
      <Others title="Finished in the last hour" campaigns={having('SENT')} />
    </Panel>
  );
}

function NothingRuns() {
  const to = useProjectPath();
  return (
    <p className={styles.none}>
      Nothing is running. <Link to={to('campaigns/new')}>Create a campaign</Link>
    </p>
  );
}

const Others = ({ title, campaigns }: { title: ReactNode; campaigns: readonly ActiveCampaign[] }) =>
  campaigns.length > 0 && (
    <section className={styles.others}>
      <h3>{title}</h3>
      <CampaignList campaigns={campaigns} />
    </section>
  );

function CampaignList({ campaigns }: { campaigns: readonly ActiveCampaign[] }) {
  const to = useProjectPath();
  return (
    <ul className={styles.list}>
      {campaigns.map((campaign) => (
        <li key={campaign.id} className={styles.item}>
          <div className={styles.head}>
            <Link to={to(`campaigns/${campaign.id}`)}>{campaign.name}</Link>
            <CampaignStatus status={campaign.status} pausedAt={campaign.pausedAt} />
          </div>
          {campaign.status !== 'SCHEDULED' && <OutcomeBar outcomes={campaign} />}
          <p className={styles.count}>{waitInWords(campaign) ?? progressInWords(campaign)}</p>
        </li>
      ))}
    </ul>
  );
}

function progressInWords({ status, totalRecipients, pendingCount }: ActiveCampaign): string {
  // The audience is determined when sending starts.
  if (status === 'SCHEDULED') return `About ${plural(totalRecipients, 'recipient')}`;
  if (status === 'SENT') return plural(totalRecipients, 'recipient');
  const settled = totalRecipients - pendingCount;
  const share = formatPercent(Math.floor(shareOf(settled, totalRecipients)));
  return `${formatCount(settled)} of ${formatCount(totalRecipients)} processed (${share})`;
}
