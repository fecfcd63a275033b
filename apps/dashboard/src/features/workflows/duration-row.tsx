import type { ReactNode } from 'react';
import styles from './step-panel.module.css';

/** An amount and its unit, on one line also where there is little room. */
export const DurationRow = ({ children }: { children: ReactNode }) => (
  <div className={styles.pair}>{children}</div>
);
