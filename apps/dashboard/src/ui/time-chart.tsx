import { lazy, Suspense } from 'react';
import { formatCount } from '../lib/format.ts';
import { useWidth } from '../lib/use-width.ts';
import type { ChartSeries, TimeChartProps } from './chart-types.ts';
import { Fold } from './fold.tsx';
import styles from './time-chart.module.css';

const TimeChartDrawing = lazy(async () => ({
  default: (await import('./time-chart-drawing.tsx')).TimeChartDrawing,
}));

/** Counts over time, as bars. The left and right arrow keys read the points; the same figures are available as a table. */
export function TimeChart(props: TimeChartProps) {
  const { series, points, previous, summary, caption, timeHead, height } = props;
  const [place, width] = useWidth<HTMLDivElement>(640);
  const columns = previous
    ? [...series.map(({ label }) => label), 'Previous period']
    : series.map(({ label }) => label);
  return (
    <figure className={styles.chart}>
      <figcaption className={styles.caption}>
        {caption === undefined
          ? series.map(({ label, fill }) => (
              <span key={label}>
                <Key fill={fill} /> {label}
              </span>
            ))
          : caption}
        {previous && (
          <span>
            <span className={`${styles.key} ${styles.previous}`} aria-hidden="true" /> Previous period
          </span>
        )}
      </figcaption>
      <div ref={place} className={styles.place} style={{ height }}>
        <Suspense fallback={<Loading />}>
          <TimeChartDrawing {...props} width={width} />
        </Suspense>
      </div>
      <Fold className={styles.table} summary="Show as a table">
        <div className={styles.scroll}>
          <table aria-label={summary}>
            <thead>
              <tr>
                <th scope="col">{timeHead}</th>
                {columns.map((label) => (
                  <th key={label} scope="col">
                    {label}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {points.map(({ key, label, values }, index) => (
                <tr key={key}>
                  <th scope="row">{label}</th>
                  {[...values, ...(previous ? [previous[index]?.values[0] ?? 0] : [])].map(
                    (value, column) => (
                      <td key={columns[column]}>{formatCount(value)}</td>
                    ),
                  )}
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      </Fold>
    </figure>
  );
}

const Loading = () => (
  <p className="visually-hidden" role="status">
    Loading the chart
  </p>
);

const Key = ({ fill }: Pick<ChartSeries, 'fill'>) => (
  <span className={styles.key} style={{ background: `var(--fill-${fill})` }} aria-hidden="true" />
);
