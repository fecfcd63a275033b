import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import { type Campaign, type CampaignStats, useApi } from '../../lib/api.ts';
import { useProject, useProjectPath } from '../../lib/current.ts';
import { formatCount } from '../../lib/format.ts';
import { Button } from '../../ui/button.tsx';
import { Notice } from '../../ui/notice.tsx';
import { Panel } from '../../ui/panel.tsx';
import { Cell, Row, rowLinkClass, Table } from '../../ui/table.tsx';
import { CampaignStatus } from './campaign-status.tsx';
import styles from './sequels.module.css';
import { offersOf, reachedInWords, restOf, type SequelOffer, sequelVerbs } from './sequels.rules.ts';
import { whyUnknown } from './unknown-rates.rules.ts';
import { useCreateSequel } from './use-create-sequel.ts';

interface SequelsProps {
  campaign: Campaign;
  stats: CampaignStats;
}

/** What can follow a campaign that has ended: for the rest of its recipients, or by what they did. */
export function Sequels({ campaign, stats }: SequelsProps) {
  const { tracking } = useProject();
  const { create, pending } = useCreateSequel(campaign);
  const { type } = campaign;
  const isRead = whyUnknown('openedCount', { ...stats, type }, tracking) === null;
  const offers = offersOf(campaign, stats, isRead);
  const button = ({ kind }: SequelOffer) => (
    <Button small pending={pending === kind} disabled={pending !== null} onClick={() => create(kind)}>
      {sequelVerbs[kind]}
    </Button>
  );
  const [first] = offers;
  const hasRest = first?.kind === 'REST';
  return (
    <>
      {hasRest && (
        <Notice tone="warn" title={reachedInWords(campaign, stats)} action={button(first)}>
          <p>
            Sending was stopped before {formatCount(restOf(stats))} emails. A sequel for them can be changed
            before it is sent, and no contact gets two emails.
            {!stats.audienceComplete &&
              ' The campaign was cancelled before all contacts of its audience had been written down: the others are reached with “Send to new contacts”.'}
          </p>
        </Notice>
      )}
      <Panel title="Sequels" flush>
        <ul className={styles.offers}>
          {(hasRest ? offers.slice(1) : offers).map((offer) => (
            <li key={offer.kind}>
              <span>{offer.whom}</span>
              {button(offer)}
            </li>
          ))}
        </ul>
      </Panel>
    </>
  );
}

/** The most campaigns that a family can have. */
const familySize = 20;

/** The campaigns of a family, first to last; nothing for a campaign without others. */
export function Family({ campaign }: { campaign: Campaign }) {
  const to = useProjectPath();
  const { familyId } = campaign;
  const { data } = useQuery(
    useApi().campaigns.list.queryOptions({ familyId, sort: 'createdAt', dir: 'asc', pageSize: familySize }),
  );
  if (!data || data.total < 2) return null;
  return (
    <Panel title="Family" flush>
      <Table
        label="Campaigns of the family"
        columns={[
          { label: 'Status' },
          { label: 'Name' },
          { label: 'Round', numeric: true, extra: true },
          { label: 'Sent', numeric: true },
          { label: 'Recipients', numeric: true },
        ]}
      >
        {data.data.map(({ id, name, status, pausedAt, round, sentCount, totalRecipients }) => (
          <Row key={id}>
            <Cell>
              <CampaignStatus status={status} pausedAt={pausedAt} />
            </Cell>
            <Cell clip>
              {id === campaign.id ? (
                <strong aria-current="page">{name}</strong>
              ) : (
                <Link to={to(`campaigns/${id}`)} className={rowLinkClass ?? ''}>
                  {name}
                </Link>
              )}
            </Cell>
            <Cell numeric extra>
              {round}
            </Cell>
            <Cell numeric>{formatCount(sentCount)}</Cell>
            <Cell numeric>{formatCount(totalRecipients)}</Cell>
          </Row>
        ))}
      </Table>
    </Panel>
  );
}
