import { useId } from 'react';
import { formatPercent } from '../lib/format.ts';
import styles from './progress.module.css';

/** @param value percent that is done; null while nobody knows how much there is */
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
