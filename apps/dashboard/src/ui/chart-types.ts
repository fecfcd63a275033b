/** The colour of a series, by what it counts. */
export type Fill =
  | 'sent'
  | 'delivered'
  | 'opened'
  | 'clicked'
  | 'bounced'
  | 'complained'
  | 'failed'
  | 'pending'
  | 'skipped';

export interface ChartSeries {
  label: string;
  fill: Fill;
}

export interface ChartPoint {
  /** unique in the chart */
  key: string;
  /** the time of the point in words */
  label: string;
  /** one count per series */
  values: readonly number[];
}

export interface TimeChartProps {
  /** The bars of each point, from left to right. */
  series: readonly [ChartSeries, ...ChartSeries[]];
  points: readonly ChartPoint[];
  /** The first series in the period before, point by point; pale bars before the others. */
  previous?: readonly ChartPoint[] | undefined;
  /** The chart in one sentence: its accessible name. */
  summary: string;
  /** The line above the chart; a legend without it. */
  caption?: string;
  /** Heading of the first column when the chart is shown as a table. */
  timeHead: string;
  /** in CSS pixels; the width is that of the container */
  height: number;
}
