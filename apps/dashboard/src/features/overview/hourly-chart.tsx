import { type PointerEvent, useState } from 'react';
import type { Overview } from '../../lib/api.ts';
import { formatCompact, formatCount, formatHour, plural } from '../../lib/format.ts';
import { useWidth } from '../../lib/use-width.ts';
import { Swatch } from '../../ui/outcome-bar.tsx';
import { axisEnd } from './chart.rules.ts';
import styles from './hourly-chart.module.css';

type Series = Overview['series'];

/** In CSS pixels. The width is that of the place. */
const height = 208;
const margin = { left: 36, top: 8, bottom: 22 };
const plotHeight = height - margin.top - margin.bottom;
const baseline = margin.top + plotHeight;
/** Room that one label of the time axis needs. */
const labelWidth = 64;

/** Mail of the last 24 hours, one bar per hour: sent, with failed on top. */
export function HourlyChart({ series }: { series: Series }) {
  const [place, width] = useWidth<HTMLDivElement>(640);
  const [pointed, setPointed] = useState<number | null>(null);
  const slot = (width - margin.left) / Math.max(series.length, 1);
  const end = axisEnd(Math.max(...series.map(({ sent, failed }) => sent + failed), 0));
  const labelEvery = [1, 2, 3, 4, 6, 12].find((hours) => hours * slot >= labelWidth) ?? 12;

  const point = ({ currentTarget, clientX }: PointerEvent<SVGSVGElement>) => {
    const index = Math.floor((clientX - currentTarget.getBoundingClientRect().left - margin.left) / slot);
    setPointed(index >= 0 && index < series.length ? index : null);
  };
  return (
    <figure className={styles.chart}>
      <figcaption className={styles.legend}>
        <span>
          <Swatch name="sent" /> Sent
        </span>
        <span>
          <Swatch name="failed" /> Failed
        </span>
        <span className={styles.readout}>{readout(pointed === null ? undefined : series[pointed])}</span>
      </figcaption>
      <div ref={place} className={styles.place}>
        <svg
          className={styles.drawing}
          width={width}
          height={height}
          role="img"
          aria-label={summary(series)}
          onPointerMove={point}
          onPointerLeave={() => setPointed(null)}
        >
          {[0, end / 2, end].map((value) => (
            <GridLine key={value} value={value} y={baseline - (value / end) * plotHeight} width={width} />
          ))}
          {series.map((hour, index) => (
            <Bar
              key={hour.bucket}
              hour={hour}
              x={margin.left + index * slot}
              slot={slot}
              scale={plotHeight / end}
              isPointed={index === pointed}
              hasLabel={(series.length - 1 - index) % labelEvery === 0}
            />
          ))}
        </svg>
      </div>
      <details className={styles.table}>
        <summary>Show as a table</summary>
        <table>
          <thead>
            <tr>
              <th scope="col">Hour from</th>
              <th scope="col">Sent</th>
              <th scope="col">Failed</th>
            </tr>
          </thead>
          <tbody>
            {series.map(({ bucket, sent, failed }) => (
              <tr key={bucket}>
                <th scope="row">{formatHour(bucket)}</th>
                <td>{formatCount(sent)}</td>
                <td>{formatCount(failed)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </details>
    </figure>
  );
}

const GridLine = ({ value, y, width }: { value: number; y: number; width: number }) => (
  <g>
    <line className={styles.grid} x1={margin.left} x2={width} y1={y} y2={y} />
    <text className={styles.axis} x={margin.left - 8} y={y + 4} textAnchor="end">
      {formatCompact(value)}
    </text>
  </g>
);

interface BarProps {
  hour: Series[number];
  x: number;
  slot: number;
  /** Pixels per mail. */
  scale: number;
  isPointed: boolean;
  hasLabel: boolean;
}

function Bar({ hour: { bucket, sent, failed }, x, slot, scale, isPointed, hasLabel }: BarProps) {
  const width = Math.max(1, slot * 0.72);
  const left = x + (slot - width) / 2;
  const sentTop = baseline - sent * scale;
  return (
    <g>
      {isPointed && <rect className={styles.pointed} x={x} y={margin.top} width={slot} height={plotHeight} />}
      <rect className={styles.sent} x={left} y={sentTop} width={width} height={sent * scale} />
      <rect
        className={styles.failed}
        x={left}
        y={sentTop - failed * scale}
        width={width}
        height={failed * scale}
      />
      {hasLabel && (
        <text className={styles.axis} x={x + slot} y={height - 5} textAnchor="end">
          {formatHour(bucket)}
        </text>
      )}
    </g>
  );
}

const readout = (hour: Series[number] | undefined): string =>
  hour
    ? `${formatHour(hour.bucket)}: ${formatCount(hour.sent)} sent, ${formatCount(hour.failed)} failed`
    : '';

function summary(series: Series): string {
  const sent = series.reduce((sum, hour) => sum + hour.sent, 0);
  const failed = series.reduce((sum, hour) => sum + hour.failed, 0);
  const peak = series.reduce((best, hour) => (hour.sent > best.sent ? hour : best), {
    bucket: '',
    sent: 0,
    failed: 0,
  });
  const words = `Last 24 hours: ${plural(sent, 'mail')} sent, ${formatCount(failed)} failed`;
  return peak.sent === 0
    ? words
    : `${words}; most in the hour from ${formatHour(peak.bucket)}, ${formatCount(peak.sent)}`;
}
