import type { ReactNode } from 'react';
import styles from './empty-state.module.css';
import { Icon, type IconName } from './icon.tsx';

interface EmptyStateProps {
  title: string;
  icon?: IconName;
  /** The one next step: a button or a link. */
  action?: ReactNode;
  children?: ReactNode;
}

/** Shown in place of an empty list, with the next step to take. */
export function EmptyState({ title, icon = 'inbox', action, children }: EmptyStateProps) {
  return (
    <div className={styles.empty}>
      <span className={styles.icon}>
        <Icon name={icon} size={22} />
      </span>
      <h2>{title}</h2>
      {children && <div className={styles.text}>{children}</div>}
      {action && <div className={styles.action}>{action}</div>}
    </div>
  );
}
