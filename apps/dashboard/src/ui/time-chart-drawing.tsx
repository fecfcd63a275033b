import { useId } from 'react';
import { Area, Bar, CartesianGrid, ComposedChart, Line, Tooltip, XAxis, YAxis } from 'recharts';
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

/** Loaded when the first chart is shown, since the chart library is larger than the rest of a page. */
export function TimeChartDrawing({
  series,
  points,
  previous,
  kind = 'area',
  summary,
  width,
  height,
}: TimeChartProps & { width: number }) {
  const id = useId();
  const data: Datum[] = points.map((point, index) => ({ point, before: previous?.[index] }));
  const heights = points.map(({ values }) =>
    kind === 'bars' ? values.reduce((sum, value) => sum + value, 0) : Math.max(...values),
  );
  const end = axisEnd(Math.max(0, ...heights, ...(previous ?? []).map(({ values }) => values[0] ?? 0)));
  /** Between a single point and nothing there is no line. */
  const drawn = points.length === 1 ? 'bars' : kind;
  const every = Math.max(1, Math.ceil((points.length * labelWidth) / Math.max(width - axisWidth, 1)));
  const countOf = (index: number) => (datum: Datum) => datum.point.values[index] ?? 0;
  return (
    <ComposedChart
      data={data}
      width={width}
      height={height}
      margin={margin}
      accessibilityLayer
      title={summary}
      className={styles.drawing ?? ''}
    >
      <defs>
        {series.map(({ fill }, index) => (
          <linearGradient key={fill} id={`${id}-${index}`} x1="0" y1="0" x2="0" y2="1">
            <stop offset="0%" stopColor={`var(--fill-${fill})`} stopOpacity={0.28} />
            <stop offset="100%" stopColor={`var(--fill-${fill})`} stopOpacity={0.02} />
          </linearGradient>
        ))}
      </defs>
      <CartesianGrid vertical={false} stroke="var(--line)" />
      <XAxis
        dataKey={(datum: Datum) => datum.point.key}
        tickFormatter={(_key: string, index: number) => data[index]?.point.label ?? ''}
        interval={0}
        ticks={points
          .filter((_point, index) => (points.length - 1 - index) % every === 0)
          .map(({ key }) => key)}
        tick={<TimeLabel points={points} />}
        axisLine={false}
        tickLine={false}
        height={24}
        padding={drawn === 'area' ? { left: 8, right: 8 } : { left: 0, right: 0 }}
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
        cursor={drawn === 'area' ? { stroke: 'var(--line-strong)' } : { fill: 'var(--hover)' }}
        content={({ active, payload }) => {
          const datum: Datum | undefined = payload[0]?.payload;
          return active && datum ? <Readout datum={datum} series={series} /> : null;
        }}
      />
      {series.map(({ label, fill }, index) =>
        drawn === 'bars' ? (
          <Bar
            key={label}
            dataKey={countOf(index)}
            name={label}
            {...(kind === 'bars' && { stackId: 'all' })}
            fill={`var(--fill-${fill})`}
            maxBarSize={28}
            isAnimationActive={false}
          />
        ) : (
          <Area
            key={label}
            // A curve would show values between two counts that were never counted.
            type="linear"
            dataKey={countOf(index)}
            name={label}
            stroke={`var(--fill-${fill})`}
            strokeWidth={2}
            fill={`url(#${id}-${index})`}
            dot={false}
            isAnimationActive={false}
          />
        ),
      )}
      {previous && (
        <Line
          type="linear"
          dataKey={({ before }: Datum) => before?.values[0] ?? null}
          name="Previous period"
          stroke="var(--ink-faint)"
          strokeWidth={1.5}
          strokeDasharray="4 4"
          dot={points.length === 1}
          isAnimationActive={false}
        />
      )}
    </ComposedChart>
  );
}

/** The label of a point; the last one ends at its point, so that it is not cut off. */
function TimeLabel({
  points,
  x,
  y,
  payload,
}: {
  points: readonly ChartPoint[];
  x?: number;
  y?: number;
  payload?: { value: string };
}) {
  const index = points.findIndex(({ key }) => key === payload?.value);
  const isLast = index === points.length - 1 && points.length > 1;
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
            <span className={styles.dashed} /> {before.label}
          </dt>
          <dd>{formatCount(before.values[0] ?? 0)}</dd>
        </div>
      )}
    </dl>
  </div>
);
