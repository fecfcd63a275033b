import { type ReactNode, useEffect, useId, useRef } from 'react';
import { Button } from '../../../ui/button.tsx';
import { Icon, type IconName } from '../../../ui/icon.tsx';
import { type Action, ActionMenu } from '../../../ui/menu.tsx';
import styles from '../steps/step-panel.module.css';

interface SidePanelProps {
  title: string;
  icon: IconName;
  /** a menu beside the title */
  actions?: readonly Action[];
  /** omitted for a panel that cannot be closed */
  onClose?: () => void;
  children: ReactNode;
}

/** The panel beside the canvas. A panel that can be closed was opened by the user, so it takes the focus. */
export function SidePanel({ title, icon, actions = [], onClose, children }: SidePanelProps) {
  const id = useId();
  const heading = useRef<HTMLHeadingElement>(null);
  const wasOpened = onClose !== undefined;
  useEffect(() => {
    if (wasOpened) heading.current?.focus();
  }, [wasOpened]);
  return (
    <section className={styles.panel} aria-labelledby={id}>
      <header className={styles.head}>
        <Icon name={icon} />
        <h2 id={id} ref={heading} tabIndex={-1}>
          {title}
        </h2>
        <ActionMenu actions={actions} />
        {onClose && (
          <Button kind="quiet" small onClick={onClose} aria-label="Close">
            <Icon name="cross" size={12} />
          </Button>
        )}
      </header>
      {children}
    </section>
  );
}
