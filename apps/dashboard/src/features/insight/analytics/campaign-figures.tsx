import { Link } from 'react-router';
import type { CampaignAnalytics } from '../../../lib/api.ts';
import { useProjectPath } from '../../../lib/current.ts';
import { formatCount, formatPercent } from '../../../lib/format.ts';
import { EmptyState } from '../../../ui/empty-state.tsx';
import { Panel } from '../../../ui/panel.tsx';
import { Cell, Row, rowLinkClass, Table } from '../../../ui/table.tsx';
import { CsvButton } from '../../common/exports/csv-button.tsx';

const columns = [
  { label: 'Campaign' },
  { label: 'Sent', numeric: true },
  { label: 'Opened', numeric: true },
  { label: 'Clicked', numeric: true, extra: true },
  { label: 'Bounced', numeric: true, extra: true },
  { label: 'Unsubscribed', numeric: true, extra: true },
];

/** The campaigns of a period with their rates, newest first. */
export function CampaignFigures({ analytics: { campaigns } }: { analytics: CampaignAnalytics }) {
  const to = useProjectPath();
  return (
    <Panel
      title="Campaigns"
      aside={
        campaigns.length > 0 && (
          <CsvButton
            name="campaigns"
            head={['Campaign', 'Sent', 'Opened %', 'Clicked %', 'Bounced %', 'Unsubscribed %']}
            rows={campaigns.map((each) => [
              each.name,
              each.sentCount,
              each.openRate,
              each.clickRate,
              each.bounceRate,
              each.unsubscribeRate,
            ])}
          />
        )
      }
      flush
    >
      {campaigns.length === 0 && <EmptyState title="No campaigns in this period" />}
      {campaigns.length > 0 && (
        <Table label="Campaigns" columns={columns}>
          {campaigns.map((campaign) => (
            <Row key={campaign.id}>
              <Cell clip>
                <Link to={to(`campaigns/${campaign.id}`)} className={rowLinkClass ?? ''}>
                  {campaign.name}
                </Link>
              </Cell>
              <Cell numeric>{formatCount(campaign.sentCount)}</Cell>
              <Cell numeric>{formatPercent(campaign.openRate)}</Cell>
              <Cell numeric extra>
                {formatPercent(campaign.clickRate)}
              </Cell>
              <Cell numeric extra>
                {formatPercent(campaign.bounceRate)}
              </Cell>
              <Cell numeric extra>
                {formatPercent(campaign.unsubscribeRate)}
              </Cell>
            </Row>
          ))}
        </Table>
      )}
    </Panel>
  );
}
