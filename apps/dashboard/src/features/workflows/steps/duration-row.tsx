import type { ReactNode } from 'react';
import styles from './step-panel.module.css';

/** An amount and its unit, on one line even on narrow screens. */
export const DurationRow = ({ children }: { children: ReactNode }) => (
  <div className={styles.pair}>{children}</div>
);
