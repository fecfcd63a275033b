import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import { type Campaign, useApi } from '../../lib/api.ts';
import { useProjectPath } from '../../lib/current.ts';
import { formatCount, formatMinute, formatPercent, shareOf } from '../../lib/format.ts';
import { picturedText } from '../../ui/mail-picture.rules.ts';
import { OutcomeBar } from '../../ui/outcome-bar.tsx';
import { Cell, CellActions, Row, rowLinkClass, type Sorting, Table } from '../../ui/table.tsx';
import { Ago } from '../../ui/time.tsx';
import { audienceNames } from './audience-names.ts';
import { CampaignActions } from './campaign-actions.tsx';
import { CampaignStatus } from './campaign-status.tsx';
import styles from './campaign-table.module.css';
import { outcomesOf } from './outcomes.rules.ts';

export function CampaignTable({ campaigns, sorting }: { campaigns: Campaign[]; sorting?: Sorting }) {
  const to = useProjectPath();
  const hasSegments = campaigns.some(({ audienceType }) => audienceType === 'SEGMENT');
  const segments = useQuery({ ...useApi().segments.list.queryOptions(), enabled: hasSegments });
  const segmentNames = new Map(segments.data?.map(({ id, name }) => [id, name]));
  return (
    <Table
      label="Campaigns"
      {...(sorting && { sorting })}
      columns={[
        { label: 'Status' },
        { label: 'Name', sort: 'name' },
        { label: 'Audience', extra: true },
        { label: 'Progress', extra: true },
        { label: 'Recipients', numeric: true, extra: true },
        { label: 'When', numeric: true },
        { label: 'Actions', control: <span className="visually-hidden">Actions</span> },
      ]}
    >
      {campaigns.map((campaign) => (
        <Row key={campaign.id}>
          <Cell>
            <CampaignStatus status={campaign.status} pausedAt={campaign.pausedAt} />
          </Cell>
          <Cell clip>
            <Link to={to(`campaigns/${campaign.id}`)} className={rowLinkClass ?? ''}>
              {campaign.name}
            </Link>
            <span className={styles.subject}>
              {campaign.familyId !== campaign.id && 'Sequel · '}
              {picturedText(campaign.subject)}
            </span>
          </Cell>
          <Cell extra brief faint>
            {campaign.audienceType === 'SEGMENT'
              ? (segmentNames.get(campaign.segmentId ?? '') ?? 'Segment')
              : audienceNames[campaign.audienceType]}
          </Cell>
          <Cell extra>{campaign.sentAt && <Progress campaign={campaign} />}</Cell>
          <Cell numeric extra>
            {formatCount(campaign.totalRecipients)}
          </Cell>
          <Cell numeric faint>
            <When campaign={campaign} />
          </Cell>
          <Cell numeric>
            <CellActions>
              <CampaignActions campaign={campaign} label={`Actions for ${campaign.name}`} inRow />
            </CellActions>
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
    return (
      <time dateTime={scheduledFor} data-exact="">
        {formatMinute(scheduledFor)}
      </time>
    );
  return <Ago at={sentAt ?? createdAt} />;
}
