import type { ReactNode } from 'react';
import styles from './chip.module.css';

/** Each state of an email has its own colour, so that the funnel is visible in a list. */
export type EmailTone =
  | 'pending'
  | 'sent'
  | 'delivered'
  | 'opened'
  | 'clicked'
  | 'bounced'
  | 'complained'
  | 'failed'
  | 'uncertain'
  | 'skipped';

export type Tone = 'good' | 'bad' | 'warn' | 'busy' | 'calm' | EmailTone;

/** A status in one word. The colour repeats the meaning of the word. */
export function Chip({ tone, title, children }: { tone: Tone; title?: string; children: ReactNode }) {
  return (
    <span className={`${styles.chip} ${styles[tone]}`} title={title}>
      {children}
    </span>
  );
}
