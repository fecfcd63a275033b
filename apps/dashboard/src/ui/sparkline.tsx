import styles from './sparkline.module.css';

const height = 28;
const width = 100;
/** The part of its place that a bar fills. */
const filled = 0.8;
/** A bar of this height is seen, however small its count is. */
const lowest = 1.5;

/** Counts over time without axes. The figure beside it is the text alternative. */
export function Sparkline({ values, tone = 'sent' }: { values: readonly number[]; tone?: string }) {
  const highest = Math.max(1, ...values);
  const step = width / Math.max(values.length, 1);
  const bars = values.map((value, index) => {
    const top = height - Math.max(lowest, (value / highest) * (height - 2));
    const [left, right] = [index + (1 - filled) / 2, index + (1 + filled) / 2].map((place) =>
      (place * step).toFixed(2),
    );
    return value > 0 ? `M${left},${height}V${top.toFixed(1)}H${right}V${height}Z` : '';
  });
  return (
    <svg
      className={styles.sparkline}
      viewBox={`0 0 ${width} ${height}`}
      preserveAspectRatio="none"
      aria-hidden="true"
    >
      <path
        d={`M0,${height}H${width}`}
        stroke="var(--line-strong)"
        strokeWidth="1.5"
        vectorEffect="non-scaling-stroke"
      />
      <path d={bars.join('')} fill={`var(--fill-${tone})`} />
    </svg>
  );
}
