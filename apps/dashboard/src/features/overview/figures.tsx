import type { ReactNode } from 'react';
import type { Overview } from '../../lib/api.ts';
import { formatCount } from '../../lib/format.ts';
import styles from './figures.module.css';

/** The state of the project in one line of numbers. */
export function Figures({ overview: { emails24h, contacts } }: { overview: Overview }) {
  return (
    <dl className={styles.figures}>
      <Figure name="Sent" value={emails24h.sent} note="last 24 hours" />
      <Figure name="Waiting" value={emails24h.pending} note="to be handed over" />
      <Figure name="Failed" value={emails24h.failed} note="refused or given up" tone="bad" />
      <Figure name="Uncertain" value={emails24h.uncertain} note="no answer recorded" tone="warn" />
      <Figure name="Skipped" value={emails24h.skipped} note="never handed over" />
      <Figure
        name="Contacts"
        value={contacts.total}
        note={`${formatCount(contacts.subscribed)} subscribed`}
      />
    </dl>
  );
}

interface FigureProps {
  name: string;
  value: number;
  note: ReactNode;
  /** For numbers that are good news only when they are 0. */
  tone?: 'bad' | 'warn';
}

const Figure = ({ name, value, note, tone }: FigureProps) => (
  <div className={styles.figure}>
    <dt>{name}</dt>
    <dd className={`${styles.value} ${tone && value > 0 ? styles[tone] : ''}`}>{formatCount(value)}</dd>
    <dd className={styles.note}>{note}</dd>
  </div>
);
