import type { ReactNode } from 'react';
import styles from './empty-state.module.css';

/** Nothing here yet, and what to do about it. */
export function EmptyState({ title, children }: { title: string; children?: ReactNode }) {
  return (
    <div className={styles.empty}>
      <h2>{title}</h2>
      {children}
    </div>
  );
}
