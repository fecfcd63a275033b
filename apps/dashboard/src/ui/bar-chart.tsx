import { type PointerEvent, useState } from 'react';
import { formatCompact, formatCount } from '../lib/format.ts';
import { useWidth } from '../lib/use-width.ts';
import { axisEnd } from './axis.rules.ts';
import styles from './bar-chart.module.css';
import { Fold } from './fold.tsx';
import { Swatch } from './outcome-bar.tsx';

export interface Series {
  label: string;
  fill: 'sent' | 'failed';
}

export interface Bar {
  /** unique in the chart */
  key: string;
  /** the time of the bar in words */
  label: string;
  /** one count per series; they are stacked in this order */
  counts: readonly number[];
}

interface BarChartProps {
  series: readonly Series[];
  bars: readonly Bar[];
  /** The chart in one sentence: its accessible name. */
  summary: string;
  /** The line above the chart; a legend without it. */
  caption?: string;
  /** The text shown while the pointer is on a bar. */
  describe: (bar: Bar) => string;
  /** Heading of the first column when the chart is shown as a table. */
  timeHead: string;
  /** in CSS pixels; the width is that of the container */
  height: number;
}

const margin = { left: 36, top: 8, bottom: 22 };
/** The space for one label of the time axis, in CSS pixels. */
const labelWidth = 64;
const labelSteps = [1, 2, 3, 4, 5, 6, 7, 10, 12, 14, 15, 30];

/** Counts over time, one bar per hour or day. The same figures are available as a table. */
export function BarChart({ series, bars, summary, caption, describe, timeHead, height }: BarChartProps) {
  const [place, width] = useWidth<HTMLDivElement>(640);
  const [pointed, setPointed] = useState<number | null>(null);
  const plotHeight = height - margin.top - margin.bottom;
  const baseline = margin.top + plotHeight;
  const slot = (width - margin.left) / Math.max(bars.length, 1);
  const barWidth = Math.max(1, slot * 0.72);
  const end = axisEnd(Math.max(...bars.map(({ counts }) => total(counts)), 0));
  const scale = plotHeight / end;
  const labelEvery = labelSteps.find((step) => step * slot >= labelWidth) ?? bars.length;
  const shown = pointed === null ? undefined : bars[pointed];

  const point = ({ currentTarget, clientX }: PointerEvent<SVGSVGElement>) => {
    const index = Math.floor((clientX - currentTarget.getBoundingClientRect().left - margin.left) / slot);
    setPointed(index >= 0 && index < bars.length ? index : null);
  };
  return (
    <figure className={styles.chart}>
      <figcaption className={styles.caption}>
        {caption === undefined ? (
          series.map(({ label, fill }) => (
            <span key={label}>
              <Swatch name={fill} /> {label}
            </span>
          ))
        ) : (
          <span>{caption}</span>
        )}
        <span className={styles.readout}>{shown && describe(shown)}</span>
      </figcaption>
      <div ref={place} className={styles.place}>
        <svg
          className={styles.drawing}
          width={width}
          height={height}
          role="img"
          aria-label={summary}
          onPointerMove={point}
          onPointerLeave={() => setPointed(null)}
        >
          {[0, end / 2, end].map((value) => (
            <g key={value}>
              <line
                className={styles.grid}
                x1={margin.left}
                x2={width}
                y1={baseline - value * scale}
                y2={baseline - value * scale}
              />
              <text
                className={styles.axis}
                x={margin.left - 8}
                y={baseline - value * scale + 4}
                textAnchor="end"
              >
                {formatCompact(value)}
              </text>
            </g>
          ))}
          {pointed !== null && (
            <rect
              className={styles.pointed}
              x={margin.left + pointed * slot}
              y={margin.top}
              width={slot}
              height={plotHeight}
            />
          )}
          {bars.map(({ key, counts }, index) =>
            series.map(({ label, fill }, part) => {
              const count = counts[part] ?? 0;
              return (
                <rect
                  key={`${key} ${label}`}
                  className={styles[fill]}
                  x={margin.left + index * slot + (slot - barWidth) / 2}
                  y={baseline - total(counts.slice(0, part + 1)) * scale}
                  width={barWidth}
                  height={count * scale}
                />
              );
            }),
          )}
          {bars.map(
            ({ key, label }, index) =>
              (bars.length - 1 - index) % labelEvery === 0 && (
                <text
                  key={key}
                  className={styles.axis}
                  x={margin.left + (index + 1) * slot}
                  y={height - 5}
                  textAnchor="end"
                >
                  {label}
                </text>
              ),
          )}
        </svg>
      </div>
      <Fold className={styles.table} summary="Show as a table">
        <table>
          <thead>
            <tr>
              <th scope="col">{timeHead}</th>
              {series.map(({ label }) => (
                <th key={label} scope="col">
                  {label}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {bars.map(({ key, label, counts }) => (
              <tr key={key}>
                <th scope="row">{label}</th>
                {series.map((each, part) => (
                  <td key={each.label}>{formatCount(counts[part] ?? 0)}</td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </Fold>
    </figure>
  );
}

const total = (counts: readonly number[]): number => counts.reduce((sum, count) => sum + count, 0);
