import { Popover as Base } from '@base-ui/react/popover';
import type { ReactElement, ReactNode } from 'react';
import styles from './popover.module.css';
import popup from './popup.module.css';

interface PopoverProps {
  /** The accessible name of what opens. */
  label: string;
  /** The button that opens it. */
  trigger: ReactElement;
  open: boolean;
  onOpen: (open: boolean) => void;
  children: ReactNode;
}

/** Controls that open beside a button. Escape or a click elsewhere closes them, and the focus returns to the button. */
export const Popover = ({ label, trigger, open, onOpen, children }: PopoverProps) => (
  <Base.Root open={open} onOpenChange={onOpen}>
    <Base.Trigger render={trigger} />
    <Base.Portal>
      <Base.Positioner className={popup.positioner} sideOffset={4} align="start">
        <Base.Popup className={styles.popup} aria-label={label}>
          {children}
        </Base.Popup>
      </Base.Positioner>
    </Base.Portal>
  </Base.Root>
);
