import { useMemo } from 'react';
import type { Campaign, CampaignReport } from '../../lib/api.ts';
import { formatCount, plural } from '../../lib/format.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { MailFrame } from '../../ui/mail-frame.tsx';
import { Panel } from '../../ui/panel.tsx';
import { RankTable } from '../../ui/rank-table.tsx';
import { CsvButton } from '../exports/csv-button.tsx';
import styles from './campaign-report.module.css';
import { withHeatMap } from './heat-map.rules.ts';

/** The links by clicks, beside the mail with the share of each link. */
export function LinkClicks({ campaign, links }: { campaign: Campaign; links: CampaignReport['links'] }) {
  const html = useMemo(() => withHeatMap(campaign.body, links), [campaign.body, links]);
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
      flush
    >
      <div className={styles.links}>
        <div className={styles.list}>
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
        </div>
        <div className={styles.mail}>
          <MailFrame title="Email body with the share of clicks of each link" html={html} />
        </div>
      </div>
    </Panel>
  );
}
