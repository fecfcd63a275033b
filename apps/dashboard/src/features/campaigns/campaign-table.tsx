import { Link } from 'react-router';
import type { Campaign } from '../../lib/api.ts';
import { useProjectPath } from '../../lib/current.ts';
import { formatCount, formatMinute, formatPercent, shareOf } from '../../lib/format.ts';
import { OutcomeBar } from '../../ui/outcome-bar.tsx';
import { Cell, Row, rowLinkClass, type Sorting, Table } from '../../ui/table.tsx';
import { Ago } from '../../ui/time.tsx';
import { CampaignStatus } from './campaign-status.tsx';
import styles from './campaign-table.module.css';
import { outcomesOf } from './outcomes.rules.ts';

export function CampaignTable({ campaigns, sorting }: { campaigns: Campaign[]; sorting?: Sorting }) {
  const to = useProjectPath();
  return (
    <Table
      label="Campaigns"
      {...(sorting && { sorting })}
      columns={[
        { label: 'Status' },
        { label: 'Name', sort: 'name' },
        { label: 'Progress', extra: true },
        { label: 'Recipients', numeric: true, extra: true },
        { label: 'When', numeric: true },
      ]}
    >
      {campaigns.map((campaign) => (
        <Row key={campaign.id}>
          <Cell>
            <CampaignStatus status={campaign.status} />
          </Cell>
          <Cell clip>
            <Link to={to(`campaigns/${campaign.id}`)} className={rowLinkClass ?? ''}>
              {campaign.name}
            </Link>
            <span className={styles.subject}>{campaign.subject}</span>
          </Cell>
          <Cell extra>{campaign.sentAt && <Progress campaign={campaign} />}</Cell>
          <Cell numeric extra>
            {formatCount(campaign.totalRecipients)}
          </Cell>
          <Cell numeric faint>
            <When campaign={campaign} />
          </Cell>
        </Row>
      ))}
    </Table>
  );
}

function Progress({ campaign }: { campaign: Campaign }) {
  const outcomes = outcomesOf(campaign);
  const settled = campaign.totalRecipients - outcomes.pendingCount;
  return (
    <div className={styles.progress}>
      <OutcomeBar outcomes={outcomes} />
      {formatPercent(Math.floor(shareOf(settled, campaign.totalRecipients)))}
    </div>
  );
}

function When({ campaign: { status, scheduledFor, sentAt, createdAt } }: { campaign: Campaign }) {
  if (status === 'SCHEDULED' && scheduledFor)
    return <time dateTime={scheduledFor}>{formatMinute(scheduledFor)}</time>;
  return <Ago at={sentAt ?? createdAt} />;
}
