import type { ReactNode } from 'react';
import styles from './scroll-text.module.css';

interface ScrollTextProps {
  label: string;
  /** Wraps long lines; without it they scroll, as code does. */
  wrap?: boolean;
  children: ReactNode;
}

/** Preformatted text in a box of limited height. */
export function ScrollText({ label, wrap, children }: ScrollTextProps) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable content must be reachable by keyboard
    <section className={styles.place} tabIndex={0} aria-label={label}>
      <pre className={wrap ? styles.wrap : styles.code}>{children}</pre>
    </section>
  );
}
