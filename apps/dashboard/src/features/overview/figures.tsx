import type { ReactNode } from 'react';
import type { Overview } from '../../lib/api.ts';
import { formatCount } from '../../lib/format.ts';
import styles from './figures.module.css';

/** The key figures of the project. */
export function Figures({ overview: { emails24h, contacts } }: { overview: Overview }) {
  return (
    <FigureRow>
      <Figure name="Sent" value={emails24h.sent} note="last 24 hours" />
      <Figure name="Queued" value={emails24h.pending} note="waiting to be sent" />
      <Figure name="Failed" value={emails24h.failed} note="rejected or given up" tone="bad" />
      <Figure name="Uncertain" value={emails24h.uncertain} note="no server response" tone="warn" />
      <Figure name="Skipped" value={emails24h.skipped} note="not sent" />
      <Figure
        name="Contacts"
        value={contacts.total}
        note={`${formatCount(contacts.subscribed)} subscribed`}
      />
    </FigureRow>
  );
}

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
