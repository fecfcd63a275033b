import { useState } from 'react';
import type { Timeseries } from '../../../lib/api.ts';
import { formatCount, formatDay, formatPercent, plural } from '../../../lib/format.ts';
import type { ChartPoint } from '../../../ui/chart-types.ts';
import { Panel } from '../../../ui/panel.tsx';
import { Sparkline } from '../../../ui/sparkline.tsx';
import { TimeChart } from '../../../ui/time-chart.tsx';
import { CsvButton } from '../../common/exports/csv-button.tsx';
import { type Bucket, countOf, type Fact, factsOf, figureOf, totalOf } from './facts.rules.ts';
import styles from './series.module.css';
import { Trend } from './trend.tsx';

interface SeriesProps {
  timeseries: Timeseries;
  /** The period before; without it, nothing is compared. */
  before: Timeseries | undefined;
}

/** The figures of a period with their trends; the chosen one is drawn over time. */
export function Series({ timeseries: { data, granularity }, before }: SeriesProps) {
  const [chosen, setChosen] = useState<Fact>('sent');
  const facts = factsOf(data);
  const fact = facts.find(({ value }) => value === chosen) ?? facts[0];
  if (!fact) return null;
  const total = plural(totalOf(data, fact.value), 'email');
  const pointsOf = (buckets: readonly Bucket[]): ChartPoint[] =>
    buckets.map((bucket) => ({
      key: bucket.bucket,
      label: granularity === 'hour' ? bucket.bucket.slice(11) : formatDay(bucket.bucket),
      values: [countOf(bucket, fact.value)],
    }));
  return (
    <>
      <fieldset className={styles.figures} aria-label="Figures">
        {facts.map(({ value, label, explanation, fill, moreIs }) => (
          <button
            key={value}
            type="button"
            className={styles.figure}
            title={explanation}
            aria-pressed={value === fact.value}
            onClick={() => setChosen(value)}
          >
            <span className={styles.name}>{label}</span>
            <span className={styles.value}>{inWords(value, figureOf(data, value))}</span>
            <span className={styles.note}>
              {noteOf(value, data)}
              {before && (
                <Trend
                  value={figureOf(data, value)}
                  before={figureOf(before.data, value)}
                  unit={value === 'sent' ? 'count' : 'rate'}
                  moreIs={moreIs}
                />
              )}
            </span>
            <Sparkline values={data.map((bucket) => countOf(bucket, value))} tone={fill} />
          </button>
        ))}
      </fieldset>
      <Panel
        title={`${fact.label} over time`}
        aside={
          <span className={styles.total}>
            {total}
            {facts.some(({ value }) => totalOf(data, value) > 0) && (
              <CsvButton
                name={`emails by ${granularity}`}
                head={[granularity === 'hour' ? 'Hour' : 'Day', ...facts.map(({ label }) => label)]}
                rows={data.map((bucket) => [
                  bucket.bucket,
                  ...facts.map(({ value }) => countOf(bucket, value)),
                ])}
              />
            )}
          </span>
        }
      >
        {[data, before?.data ?? []].every((buckets) => totalOf(buckets, fact.value) === 0) ? (
          <p className={styles.nothing}>{nothing[fact.value]} in this period.</p>
        ) : (
          <TimeChart
            series={[{ label: fact.label, fill: fact.fill }]}
            points={pointsOf(data)}
            previous={before && pointsOf(before.data)}
            summary={`${fact.label}: ${total} by ${granularity}`}
            timeHead={granularity === 'hour' ? 'Hour' : 'Day'}
            height={240}
          />
        )}
      </Panel>
    </>
  );
}

/** What is said in place of a chart without a single point. */
const nothing: Readonly<Record<Fact, string>> = {
  sent: 'No emails were sent',
  accepted: 'No emails were accepted',
  delivered: 'No deliveries were reported',
  opened: 'No emails were opened',
  clicked: 'No links were clicked',
  bounced: 'No emails bounced',
  complained: 'No recipients complained',
};

function inWords(fact: Fact, figure: number | null): string {
  if (figure === null) return '–';
  return fact === 'sent' ? formatCount(figure) : formatPercent(figure);
}

function noteOf(fact: Fact, data: readonly Bucket[]): string {
  const total = totalOf(data, fact);
  if (fact === 'sent') return 'emails';
  if (totalOf(data, 'sent') === 0 && total === 0) return '';
  return formatCount(total);
}
