import { useId } from 'react';
import { formatPercent } from '../lib/format.ts';
import styles from './progress.module.css';

/** @param value percent done; null while the total is unknown */
export function Progress({ label, value }: { label: string; value: number | null }) {
  const id = useId();
  return (
    <div className={styles.progress}>
      <span className={styles.words} id={id}>
        {label}
        {value !== null && <span>{formatPercent(value)}</span>}
      </span>
      <progress className={styles.bar} aria-labelledby={id} max={100} {...(value !== null && { value })} />
    </div>
  );
}
