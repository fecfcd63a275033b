import { Dialog as Base } from '@base-ui/react/dialog';
import type { ReactNode } from 'react';
import dialog from './dialog.module.css';
import styles from './drawer.module.css';
import { Icon } from './icon.tsx';

interface DrawerProps {
  /** The accessible name. */
  label: string;
  onClose: () => void;
  children: ReactNode;
}

/** A panel over the left of a narrow screen. Its button, Escape and a tap beside it close it. */
export const Drawer = ({ label, onClose, children }: DrawerProps) => (
  <Base.Root open onOpenChange={(open) => open || onClose()}>
    <Base.Portal>
      <Base.Backdrop className={dialog.backdrop} />
      <Base.Popup className={styles.drawer} aria-label={label}>
        <Base.Close className={styles.close} aria-label={`Close ${label.toLowerCase()}`}>
          <Icon name="cross" />
        </Base.Close>
        {children}
      </Base.Popup>
    </Base.Portal>
  </Base.Root>
);
