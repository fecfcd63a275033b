import type { ReactNode } from 'react';
import styles from './chip.module.css';

export type Tone = 'good' | 'bad' | 'warn' | 'busy' | 'calm';

/** A state in one word. The colour repeats what the word says. */
export function Chip({ tone, title, children }: { tone: Tone; title?: string; children: ReactNode }) {
  return (
    <span className={`${styles.chip} ${styles[tone]}`} title={title}>
      {children}
    </span>
  );
}
