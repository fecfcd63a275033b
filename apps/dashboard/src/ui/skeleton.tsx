import styles from './skeleton.module.css';

/** A placeholder for content that is loading. */
export function Skeleton({ lines = 4, label = 'Loading' }: { lines?: number; label?: string }) {
  return (
    <div className={styles.skeleton} role="status">
      <span className="visually-hidden">{label}</span>
      {Array.from({ length: lines }, (_, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the lines are all alike
        <span key={index} className={styles.line} style={{ width: `${100 - ((index * 23) % 45)}%` }} />
      ))}
    </div>
  );
}
