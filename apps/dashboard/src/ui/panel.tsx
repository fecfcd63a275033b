import { type ReactNode, useId } from 'react';
import styles from './panel.module.css';

interface PanelProps {
  title: ReactNode;
  /** Beside the title, on the right. */
  aside?: ReactNode;
  /** The content reaches the border, as lists and tables do. */
  flush?: boolean;
  children: ReactNode;
}

export function Panel({ title, aside, flush, children }: PanelProps) {
  const id = useId();
  return (
    <section className={styles.panel} aria-labelledby={id}>
      <header className={styles.head}>
        <h2 id={id}>{title}</h2>
        {aside}
      </header>
      <div className={flush ? styles.flush : styles.body}>{children}</div>
    </section>
  );
}

interface FrameProps {
  /** The accessible name of the content. */
  label: string;
  /** Search and filters on the left, a figure on the right. */
  head?: ReactNode;
  /** A distance between the content and the border, as forms have. */
  padded?: boolean;
  children: ReactNode;
}

/** A panel with controls in its head instead of a title, or without a head where the page's title says it. */
export function Frame({ label, head, padded, children }: FrameProps) {
  return (
    <section className={styles.panel} aria-label={label}>
      {head && <div className={styles.head}>{head}</div>}
      <div className={padded ? styles.body : styles.flush}>{children}</div>
    </section>
  );
}
