import { CartesianGrid, Line, LineChart, Tooltip, XAxis, YAxis } from 'recharts';
import { formatPercent } from '../lib/format.ts';
import { axisEnd } from './axis.rules.ts';
import { lineColour } from './rate-chart-lines.ts';
import styles from './time-chart.module.css';

interface RatePoint {
  /** unique in the chart */
  key: string;
  label: string;
  /** percent, one per line; null where it is not known yet */
  values: readonly (number | null)[];
}

export interface RateChartProps {
  series: readonly { key: string; label: string }[];
  points: readonly RatePoint[];
  /** The chart in one sentence: its accessible name. */
  summary: string;
  /** Heading of the first column when the chart is shown as a table. */
  pointHead: string;
  /** in CSS pixels; the width is that of the container */
  height: number;
}

const margin = { top: 8, right: 12, bottom: 0, left: 0 };
const axisWidth = 44;
/** The space for one label of the axis, in CSS pixels. */
const labelWidth = 56;

/** Loaded when the first chart is shown, as the chart library is larger than the rest of a page. */
export function RateChartDrawing({
  series,
  points,
  summary,
  width,
  height,
}: RateChartProps & { width: number }) {
  const rates = points.flatMap(({ values }) => values.map((value) => value ?? 0));
  const end = Math.min(100, axisEnd(Math.max(1, ...rates)));
  const every = Math.max(1, Math.ceil((points.length * labelWidth) / Math.max(width - axisWidth, 1)));
  return (
    <LineChart
      data={[...points]}
      width={width}
      height={height}
      margin={margin}
      accessibilityLayer
      title={summary}
      className={styles.drawing ?? ''}
    >
      <CartesianGrid vertical={false} stroke="var(--line)" />
      <XAxis
        dataKey={({ label }: RatePoint) => label}
        interval={every - 1}
        tick={{ fill: 'var(--ink-faint)', fontSize: 11 }}
        axisLine={false}
        tickLine={false}
        height={24}
      />
      <YAxis
        domain={[0, end]}
        ticks={[0, end / 2, end]}
        tickFormatter={formatPercent}
        tick={{ fill: 'var(--ink-faint)', fontSize: 11 }}
        axisLine={false}
        tickLine={false}
        width={axisWidth}
      />
      <Tooltip
        isAnimationActive={false}
        cursor={{ stroke: 'var(--line-strong)' }}
        content={({ active, payload }) => {
          const point: RatePoint | undefined = payload[0]?.payload;
          return active && point ? <Readout point={point} series={series} /> : null;
        }}
      />
      {series.map(({ key, label }, index) => (
        <Line
          key={key}
          type="linear"
          dataKey={({ values }: RatePoint) => values[index] ?? null}
          name={label}
          stroke={lineColour(index)}
          strokeWidth={2}
          dot={points.length === 1}
          isAnimationActive={false}
        />
      ))}
    </LineChart>
  );
}

/** The rates of the point under the pointer or chosen by the arrow keys, which screen readers announce. */
const Readout = ({ point, series }: { point: RatePoint } & Pick<RateChartProps, 'series'>) => (
  <div className={styles.readout} role="status">
    <strong>{point.label}</strong>
    <dl>
      {series.map(({ key, label }, index) => (
        <div key={key}>
          <dt>
            <span className={styles.key} style={{ background: lineColour(index) }} /> {label}
          </dt>
          <dd>{point.values[index] == null ? '–' : formatPercent(point.values[index])}</dd>
        </div>
      ))}
    </dl>
  </div>
);
