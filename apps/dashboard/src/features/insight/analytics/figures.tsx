import type { ReactNode } from 'react';
import { formatCount } from '../../../lib/format.ts';
import styles from './figures.module.css';

export const FigureRow = ({ children }: { children: ReactNode }) => (
  <dl className={styles.figures}>{children}</dl>
);

interface FigureProps {
  name: string;
  value: number;
  note: ReactNode;
  /** For figures that are a problem when above 0. */
  tone?: 'bad' | 'warn';
}

export const Figure = ({ name, value, note, tone }: FigureProps) => (
  <div className={styles.figure}>
    <dt>{name}</dt>
    <dd className={`${styles.value} ${tone && value > 0 ? styles[tone] : ''}`}>{formatCount(value)}</dd>
    <dd className={styles.note}>{note}</dd>
  </div>
);
