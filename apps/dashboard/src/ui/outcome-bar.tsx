import { formatCount, shareOf } from '../lib/format.ts';
import styles from './outcome-bar.module.css';

export interface Outcomes {
  sentCount: number;
  failedCount: number;
  uncertainCount: number;
  skippedCount: number;
  pendingCount: number;
}

export const outcomeParts = [
  { key: 'sentCount', name: 'sent', label: 'Sent' },
  { key: 'failedCount', name: 'failed', label: 'Failed' },
  { key: 'uncertainCount', name: 'uncertain', label: 'Uncertain' },
  { key: 'skippedCount', name: 'skipped', label: 'Skipped' },
  { key: 'pendingCount', name: 'pending', label: 'Queued' },
] as const satisfies { key: keyof Outcomes; name: string; label: string }[];

/** The outcomes of a campaign's recipients as parts of one bar. The figures are shown beside it as text. */
export function OutcomeBar({ outcomes, tall }: { outcomes: Outcomes; tall?: boolean }) {
  const total = outcomeParts.reduce((sum, { key }) => sum + outcomes[key], 0);
  const words = outcomeParts
    .filter(({ key }) => outcomes[key] > 0)
    .map(({ key, label }) => `${label} ${formatCount(outcomes[key])}`)
    .join(', ');
  return (
    <div
      className={tall ? `${styles.bar} ${styles.tall}` : styles.bar}
      role="img"
      aria-label={words || 'No recipients yet'}
    >
      {outcomeParts
        .filter(({ key }) => outcomes[key] > 0)
        .map(({ key, name }) => (
          <span key={key} className={styles[name]} style={{ width: `${shareOf(outcomes[key], total)}%` }} />
        ))}
    </div>
  );
}

export const Swatch = ({ name }: { name: 'sent' | 'failed' | 'uncertain' | 'skipped' | 'pending' }) => (
  <span className={`${styles.swatch} ${styles[name]}`} aria-hidden="true" />
);
