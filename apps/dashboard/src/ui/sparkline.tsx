import styles from './sparkline.module.css';

const height = 28;
const width = 100;

/** The course of a figure without axes. The figure beside it is the text alternative. */
export function Sparkline({ values, tone = 'sent' }: { values: readonly number[]; tone?: string }) {
  const highest = Math.max(1, ...values);
  const step = width / Math.max(values.length - 1, 1);
  const points = values.map((value, index) => [index * step, height - 2 - (value / highest) * (height - 4)]);
  const stroke = values.some((value) => value > 0) ? `var(--fill-${tone})` : 'var(--line-strong)';
  const line = points.map(([x = 0, y = 0]) => `${x.toFixed(1)},${y.toFixed(1)}`).join(' ');
  return (
    <svg
      className={styles.sparkline}
      viewBox={`0 0 ${width} ${height}`}
      preserveAspectRatio="none"
      aria-hidden="true"
    >
      <polygon points={`0,${height} ${line} ${width},${height}`} fill={stroke} opacity="0.14" />
      <polyline
        points={line}
        fill="none"
        stroke={stroke}
        strokeWidth="1.5"
        vectorEffect="non-scaling-stroke"
      />
    </svg>
  );
}
