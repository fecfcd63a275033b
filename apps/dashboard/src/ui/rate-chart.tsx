import { lazy, Suspense } from 'react';
import { formatPercent } from '../lib/format.ts';
import { useWidth } from '../lib/use-width.ts';
import { Fold } from './fold.tsx';
import type { RateChartProps } from './rate-chart-drawing.tsx';
import { lineColour } from './rate-chart-lines.ts';
import styles from './time-chart.module.css';

const RateChartDrawing = lazy(async () => ({
  default: (await import('./rate-chart-drawing.tsx')).RateChartDrawing,
}));

/** Rates over time, as lines with straight segments. The left and right arrow keys read the points; the same rates are available as a table. */
export function RateChart(props: RateChartProps) {
  const { series, points, summary, pointHead, height } = props;
  const [place, width] = useWidth<HTMLDivElement>(640);
  return (
    <figure className={styles.chart}>
      <figcaption className={styles.caption}>
        {series.map(({ key, label }, index) => (
          <span key={key}>
            <span className={styles.key} style={{ background: lineColour(index) }} aria-hidden="true" />{' '}
            {label}
          </span>
        ))}
      </figcaption>
      <div ref={place} className={styles.place} style={{ height }}>
        <Suspense
          fallback={
            <p className="visually-hidden" role="status">
              Loading the chart
            </p>
          }
        >
          <RateChartDrawing {...props} width={width} />
        </Suspense>
      </div>
      <Fold className={styles.table} summary="Show as a table">
        <div className={styles.scroll}>
          <table aria-label={summary}>
            <thead>
              <tr>
                <th scope="col">{pointHead}</th>
                {series.map(({ key, label }) => (
                  <th key={key} scope="col">
                    {label}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {points.map(({ key, label, values }) => (
                <tr key={key}>
                  <th scope="row">{label}</th>
                  {series.map((each, index) => (
                    <td key={each.key}>{rateInWords(values[index])}</td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      </Fold>
    </figure>
  );
}

const rateInWords = (rate: number | null | undefined): string => (rate == null ? '–' : formatPercent(rate));
