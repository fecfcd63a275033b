import { reasonInWords } from '@postrider/core/mail/eligibility/contract';
import type { Campaign, CampaignStats as Stats } from '../../lib/api.ts';
import { useProject } from '../../lib/current.ts';
import { formatCount, formatPercent, shareOf } from '../../lib/format.ts';
import { OutcomeBar, outcomeParts, Swatch } from '../../ui/outcome-bar.tsx';
import { campaignFigures, figureOf } from './campaign-figures.rules.ts';
import styles from './campaign-stats.module.css';
import { FiguresExplained } from './figures-explained.tsx';

/** The outcomes of all recipients. They always add up to the total. */
export function CampaignStats({ campaign, stats }: { campaign: Campaign; stats: Stats }) {
  const skipped = Object.entries(stats.skippedReasons).filter(([, count]) => count > 0);
  const { cap, quietHours } = stats.held;
  const waiting = [
    ...(cap > 0 ? [`${formatCount(cap)} for their turn within the limits of their contacts`] : []),
    ...(quietHours > 0 ? [`${formatCount(quietHours)} for the end of the quiet hours`] : []),
  ];
  return (
    <div className={styles.stats}>
      <CampaignRates campaign={campaign} stats={stats} />
      <OutcomeBar outcomes={stats} tall />
      <table className={styles.parts}>
        <thead className="visually-hidden">
          <tr>
            <th scope="col">Outcome</th>
            <th scope="col">Recipients</th>
            <th scope="col">Share</th>
          </tr>
        </thead>
        <tbody>
          {outcomeParts.map(({ key, name, label }) => (
            <tr key={key}>
              <th scope="row">
                <Swatch name={name} /> {label}
              </th>
              <td>{formatCount(stats[key])}</td>
              <td className={styles.share}>{formatPercent(shareOf(stats[key], stats.totalRecipients))}</td>
            </tr>
          ))}
        </tbody>
        <tfoot>
          <tr>
            <th scope="row">Recipients</th>
            <td>{formatCount(stats.totalRecipients)}</td>
            <td />
          </tr>
        </tfoot>
      </table>
      {waiting.length > 0 && <p className={styles.reasons}>Waiting: {waiting.join(', ')}.</p>}
      {skipped.length > 0 && (
        <p className={styles.reasons}>
          Skipped:{' '}
          {skipped.map(([reason, count]) => `${formatCount(count)} (${reasonInWords(reason)})`).join(', ')}.
        </p>
      )}
    </div>
  );
}

/** What became of the emails that were sent. */
function CampaignRates({ campaign, stats }: { campaign: Campaign; stats: Stats }) {
  const { tracking } = useProject();
  return (
    <section className={styles.later} aria-label="Of emails sent">
      <dl className={styles.rates}>
        {campaignFigures(stats.deliveryReported).map((figure) => {
          const { rate, count, unknown } = figureOf(figure, { ...stats, type: campaign.type }, tracking);
          return (
            <div key={figure.name}>
              <dt title={figure.explanation}>{figure.label}</dt>
              {unknown === null ? (
                <>
                  <dd className={styles.rate}>{rate}</dd>
                  <dd className={styles.count}>{count}</dd>
                </>
              ) : (
                <>
                  <dd className={styles.rate} aria-hidden="true">
                    {rate}
                  </dd>
                  <dd className={styles.unknown}>{unknown}</dd>
                </>
              )}
            </div>
          );
        })}
      </dl>
      <FiguresExplained deliveryReported={stats.deliveryReported} />
    </section>
  );
}
