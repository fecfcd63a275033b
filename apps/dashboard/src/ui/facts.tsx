import type { ReactNode } from 'react';
import styles from './facts.module.css';

/** Names and values, one pair per line. */
export const Facts = ({ children }: { children: ReactNode }) => <dl className={styles.facts}>{children}</dl>;

export function Fact({ name, code, children }: { name: string; code?: boolean; children: ReactNode }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd className={code ? styles.code : undefined}>{children}</dd>
    </div>
  );
}
