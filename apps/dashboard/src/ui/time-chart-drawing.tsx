import { Bar, BarChart, CartesianGrid, Tooltip, XAxis, YAxis } from 'recharts';
import { formatCompact, formatCount } from '../lib/format.ts';
import { axisEnd } from './axis.rules.ts';
import type { ChartPoint, TimeChartProps } from './chart-types.ts';
import styles from './time-chart.module.css';

interface Datum {
  point: ChartPoint;
  before: ChartPoint | undefined;
}

const margin = { top: 8, right: 4, bottom: 0, left: 0 };
const axisWidth = 40;
/** The space for one label of the time axis, in CSS pixels. */
const labelWidth = 72;
const widestBar = 40;

/**
 * Loaded when the first chart is shown, since the chart library is larger than the rest of a page. The bars of a time are side by side and
 * not stacked: one count can be a part of another.
 */
export function TimeChartDrawing({
  series,
  points,
  previous,
  summary,
  width,
  height,
}: TimeChartProps & { width: number }) {
  const data: Datum[] = points.map((point, index) => ({ point, before: previous?.[index] }));
  const counts = [...points, ...(previous ?? []).slice(0, points.length)].flatMap(({ values }) => values);
  const end = axisEnd(Math.max(0, ...counts));
  const every = Math.max(1, Math.ceil((points.length * labelWidth) / Math.max(width - axisWidth, 1)));
  const countOf = (index: number) => (datum: Datum) => datum.point.values[index] ?? 0;
  return (
    <BarChart
      data={data}
      width={width}
      height={height}
      margin={margin}
      barCategoryGap="15%"
      barGap={0}
      accessibilityLayer
      title={summary}
      className={styles.drawing ?? ''}
    >
      <CartesianGrid vertical={false} stroke="var(--line)" />
      <XAxis
        dataKey={(datum: Datum) => datum.point.key}
        tickFormatter={(_key: string, index: number) => data[index]?.point.label ?? ''}
        interval={0}
        ticks={points
          .filter((_point, index) => (points.length - 1 - index) % every === 0)
          .map(({ key }) => key)}
        tick={<TimeLabel points={points} isDense={every > 1} />}
        axisLine={false}
        tickLine={false}
        height={24}
      />
      <YAxis
        domain={[0, end]}
        ticks={[0, end / 2, end]}
        tickFormatter={formatCompact}
        tick={{ fill: 'var(--ink-faint)', fontSize: 11 }}
        axisLine={false}
        tickLine={false}
        width={axisWidth}
      />
      <Tooltip
        isAnimationActive={false}
        cursor={{ fill: 'var(--hover)' }}
        content={({ active, payload }) => {
          const datum: Datum | undefined = payload[0]?.payload;
          return active && datum ? <Readout datum={datum} series={series} /> : null;
        }}
      />
      {previous && (
        <Bar
          dataKey={({ before }: Datum) => before?.values[0] ?? 0}
          name="Previous period"
          fill="var(--fill-skipped)"
          maxBarSize={widestBar}
          isAnimationActive={false}
        />
      )}
      {series.map(({ label, fill }, index) => (
        <Bar
          key={label}
          dataKey={countOf(index)}
          name={label}
          fill={`var(--fill-${fill})`}
          maxBarSize={widestBar}
          isAnimationActive={false}
        />
      ))}
    </BarChart>
  );
}

/** The label of a point. Where points are narrower than labels, the last one ends at its point, so that it is not cut off. */
function TimeLabel({
  points,
  isDense,
  x,
  y,
  payload,
}: {
  points: readonly ChartPoint[];
  isDense: boolean;
  x?: number;
  y?: number;
  payload?: { value: string };
}) {
  const index = points.findIndex(({ key }) => key === payload?.value);
  const isLast = isDense && index === points.length - 1;
  return (
    <text
      x={x}
      y={(y ?? 0) + 12}
      textAnchor={isLast ? 'end' : 'middle'}
      dx={isLast ? 8 : 0}
      className={styles.axis}
    >
      {points[index]?.label}
    </text>
  );
}

/** The figures of the point under the pointer or chosen by the arrow keys, which screen readers announce. */
const Readout = ({ datum: { point, before }, series }: { datum: Datum } & Pick<TimeChartProps, 'series'>) => (
  <div className={styles.readout} role="status">
    <strong>{point.label}</strong>
    <dl>
      {series.map(({ label, fill }, index) => (
        <div key={label}>
          <dt>
            <span className={styles.key} style={{ background: `var(--fill-${fill})` }} /> {label}
          </dt>
          <dd>{formatCount(point.values[index] ?? 0)}</dd>
        </div>
      ))}
      {before && (
        <div>
          <dt>
            <span className={`${styles.key} ${styles.previous}`} /> {before.label}
          </dt>
          <dd>{formatCount(before.values[0] ?? 0)}</dd>
        </div>
      )}
    </dl>
  </div>
);
