import { useMemo } from 'react';
import type { Campaign, CampaignReport } from '../../../lib/api.ts';
import { formatCount, plural } from '../../../lib/format.ts';
import { EmptyState } from '../../../ui/empty-state.tsx';
import { MailFrame } from '../../../ui/mail-frame.tsx';
import { Panel } from '../../../ui/panel.tsx';
import { RankTable } from '../../../ui/rank-table.tsx';
import { Skeleton } from '../../../ui/skeleton.tsx';
import { CsvButton } from '../../common/exports/csv-button.tsx';
import { useRenderedMail } from '../../templates/use-rendered-mail.ts';
import styles from '../analytics/report.module.css';
import { withHeatMap } from './heat-map.rules.ts';

interface LinkProps {
  campaign: Campaign;
  links: CampaignReport['links'];
}

/** The email as a contact without data got it, with the share of clicks of each link. */
export function SentMail({ campaign, links }: LinkProps) {
  const { body } = campaign;
  const { subject, html } = useRenderedMail(campaign);
  const mapped = useMemo(() => html && withHeatMap(html, body, links), [html, body, links]);
  return (
    <Panel title={subject} flush>
      {mapped === null ? (
        <Skeleton lines={8} label="Loading the email" />
      ) : (
        <MailFrame title="Email body with the share of clicks of each link" html={mapped} />
      )}
    </Panel>
  );
}

/** The links by clicks. */
export function LinkClicks({ campaign, links }: LinkProps) {
  const all = links.reduce((sum, { clicks }) => sum + clicks, 0);
  const rows = links.map(({ url, clicks, clickers }) => [url ?? 'Other links', clicks, clickers]);
  return (
    <Panel
      title="Links"
      aside={
        rows.length > 0 && (
          <CsvButton name={`${campaign.name} links`} head={['Link', 'Clicks', 'Emails']} rows={rows} />
        )
      }
    >
      {links.length === 0 ? (
        <EmptyState icon="activity" title="No clicks yet" />
      ) : (
        <>
          <RankTable
            label="Links by clicks"
            head={['Link', 'Clicks', 'Emails']}
            ranks={links.map(({ url, clicks, clickers }) => ({
              key: url ?? '',
              name: url ?? 'Other links',
              count: clicks,
              more: [formatCount(clickers)],
            }))}
            whole={all}
          />
          <p className={styles.note}>{plural(all, 'click')} by people, repeated ones included.</p>
        </>
      )}
    </Panel>
  );
}
