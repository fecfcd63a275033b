import { rateInWords } from '@postrider/core/base/figures/contract';
import { Link } from 'react-router';
import type { Campaign, CampaignStats } from '../../lib/api.ts';
import { useProject, useProjectPath } from '../../lib/current.ts';
import { Frame } from '../../ui/panel.tsx';
import { Moment } from '../../ui/time.tsx';
import { campaignFigures, convertedOf, figureOf, sentInWords } from './campaign-figures.rules.ts';
import { CampaignStatus } from './campaign-status.tsx';
import styles from './compare-campaigns.module.css';
import { FiguresExplained } from './figures-explained.tsx';

interface Compared {
  campaign: Campaign;
  stats: CampaignStats;
}

function Converted({ stats }: { stats: CampaignStats }) {
  const figure = convertedOf(stats, null);
  return (
    <td>
      {figure === null ? (
        <span className={styles.count}>No goal</span>
      ) : (
        <>
          <span className={styles.rate}>{figure.rate}</span>{' '}
          <span className={styles.count}>{figure.count}</span>
        </>
      )}
    </td>
  );
}

/** The figures of campaigns, one campaign in each column. The bars of a row are in proportion to its highest rate. */
export function CompareCampaigns({ compared }: { compared: readonly Compared[] }) {
  const to = useProjectPath();
  const { tracking } = useProject();
  const deliveryReported = compared.every(({ stats }) => stats.deliveryReported);
  const rows = campaignFigures(deliveryReported).map((figure) => {
    const cells = compared.map(({ campaign, stats }) => ({
      id: campaign.id,
      ...figureOf(figure, { ...stats, type: campaign.type }, tracking),
    }));
    return { ...figure, cells, highest: Math.max(0, ...cells.map(({ percent }) => percent ?? 0)) };
  });
  return (
    <Frame label="Comparison">
      <div className={styles.scroll}>
        <table className={styles.table} aria-label="Campaigns side by side">
          <thead>
            <tr>
              <th scope="col">
                <span className="visually-hidden">Figure</span>
              </th>
              {compared.map(({ campaign: { id, name, subject, status, pausedAt } }) => (
                <th key={id} scope="col">
                  <Link to={to(`campaigns/${id}`)}>{name}</Link>
                  <span className={styles.subject}>{subject}</span>
                  <CampaignStatus status={status} pausedAt={pausedAt} />
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            <tr>
              <th scope="row">Started</th>
              {compared.map(({ campaign: { id, sentAt } }) => (
                <td key={id}>{sentAt ? <Moment at={sentAt} /> : 'Not sent yet'}</td>
              ))}
            </tr>
            <tr>
              <th scope="row">Sent</th>
              {compared.map(({ campaign: { id }, stats }) => (
                <td key={id}>{sentInWords(stats)}</td>
              ))}
            </tr>
            {rows.map(({ name, label, explanation, cells, highest }) => (
              <tr key={name}>
                <th scope="row" title={explanation}>
                  {label}
                </th>
                {cells.map(({ id, rate, percent, count, unknown }) => (
                  <td key={id}>
                    {unknown === null ? (
                      <>
                        <span className={styles.rate}>{rate}</span>{' '}
                        <span className={styles.count}>{count}</span>
                        <span className={styles.track} aria-hidden="true">
                          <span
                            className={styles[name]}
                            style={{ width: `${highest === 0 ? 0 : ((percent ?? 0) / highest) * 100}%` }}
                          />
                        </span>
                      </>
                    ) : (
                      <span className={styles.count}>{unknown}</span>
                    )}
                  </td>
                ))}
              </tr>
            ))}
            {compared.some(({ stats }) => stats.convertedCount !== null) && (
              <tr>
                <th scope="row" title={rateInWords('conversionRate')}>
                  Converted
                </th>
                {compared.map(({ campaign: { id }, stats }) => (
                  <Converted key={id} stats={stats} />
                ))}
              </tr>
            )}
          </tbody>
        </table>
      </div>
      <div className={styles.foot}>
        <FiguresExplained deliveryReported={deliveryReported} />
      </div>
    </Frame>
  );
}
