import { Collapsible } from '@base-ui/react/collapsible';
import { type ReactNode, useState } from 'react';
import styles from './fold.module.css';
import { Icon } from './icon.tsx';

interface FoldProps {
  summary: ReactNode;
  /** The accessible name of the button, where the summary alone is ambiguous. */
  label?: string;
  open?: boolean;
  /** What is hidden stays in the page, for fields that are submitted with their form. */
  keeps?: boolean;
  /** Shown whatever was chosen, for a message inside. */
  mustShow?: boolean;
  className?: string | undefined;
  children: ReactNode;
}

/** Details below a summary that shows and hides them. They are rendered only while they are shown, unless it `keeps` them. */
export function Fold(props: FoldProps) {
  const { summary, label, open = false, keeps = false, mustShow = false, className, children } = props;
  const [isOpen, setOpen] = useState(open);
  return (
    <Collapsible.Root open={isOpen || mustShow} onOpenChange={setOpen} className={className}>
      <Collapsible.Trigger className={styles.summary} aria-label={label}>
        <Icon name="chevron" size={14} />
        <span className={styles.text}>{summary}</span>
      </Collapsible.Trigger>
      <Collapsible.Panel className={styles.panel} keepMounted={keeps}>
        {children}
      </Collapsible.Panel>
    </Collapsible.Root>
  );
}
