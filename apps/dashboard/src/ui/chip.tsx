import type { ReactNode } from 'react';
import styles from './chip.module.css';

export type Tone = 'good' | 'bad' | 'warn' | 'busy' | 'calm';

/** A status in one word. The colour repeats the meaning of the word. */
export function Chip({ tone, title, children }: { tone: Tone; title?: string; children: ReactNode }) {
  return (
    <span className={`${styles.chip} ${styles[tone]}`} title={title}>
      {children}
    </span>
  );
}
