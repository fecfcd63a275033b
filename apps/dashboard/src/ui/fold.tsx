import { Collapsible } from '@base-ui/react/collapsible';
import type { ReactNode } from 'react';
import styles from './fold.module.css';
import { Icon } from './icon.tsx';

interface FoldProps {
  summary: ReactNode;
  /** The accessible name of the button, where the summary alone is ambiguous. */
  label?: string;
  open?: boolean;
  className?: string | undefined;
  children: ReactNode;
}

/** Details below a summary that shows and hides them. They are rendered only while they are shown. */
export function Fold({ summary, label, open = false, className, children }: FoldProps) {
  return (
    <Collapsible.Root defaultOpen={open} className={className}>
      <Collapsible.Trigger className={styles.summary} aria-label={label}>
        <Icon name="chevron" size={14} />
        <span className={styles.text}>{summary}</span>
      </Collapsible.Trigger>
      <Collapsible.Panel className={styles.panel}>{children}</Collapsible.Panel>
    </Collapsible.Root>
  );
}
