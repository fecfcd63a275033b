import type { ReactNode } from 'react';
import styles from './empty-state.module.css';

/** Shown in place of an empty list, with the next step to take. */
export function EmptyState({ title, children }: { title: string; children?: ReactNode }) {
  return (
    <div className={styles.empty}>
      <h2>{title}</h2>
      {children}
    </div>
  );
}
