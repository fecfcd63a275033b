import { formatPercent } from '../../../lib/format.ts';
import styles from './trend.module.css';

interface TrendProps {
  value: number | null;
  before: number | null;
  /** A rate changes by percentage points, a count by percent. */
  unit: 'count' | 'rate';
  moreIs: 'good' | 'bad' | 'neutral';
}

/** The change since the period before. Its colour repeats whether the change is good. */
export function Trend({ value, before, unit, moreIs }: TrendProps) {
  if (value === null || before === null || (unit === 'count' && before === 0)) return null;
  const change = unit === 'rate' ? value - before : ((value - before) / before) * 100;
  const shown = Math.abs(change) < 0.05 ? 0 : change;
  const tone =
    shown === 0 || moreIs === 'neutral' ? 'even' : shown > 0 === (moreIs === 'good') ? 'good' : 'bad';
  const words = unit === 'rate' ? `${rounded(shown)} points` : formatPercent(rounded(shown));
  return (
    <span className={styles[tone]}>
      <span aria-hidden="true">{shown > 0 ? '↑ ' : shown < 0 ? '↓ ' : ''}</span>
      <span className="visually-hidden">{shown > 0 ? 'up ' : shown < 0 ? 'down ' : ''}</span>
      {shown === 0 ? 'No change' : words}
    </span>
  );
}

const rounded = (change: number): number => Math.round(Math.abs(change) * 10) / 10;
