import { Dialog as Base } from '@base-ui/react/dialog';
import type { ReactNode } from 'react';
import dialog from './dialog.module.css';
import { Icon } from './icon.tsx';
import styles from './sheet.module.css';

interface SheetProps {
  title: string;
  onClose: () => void;
  children: ReactNode;
}

/**
 * A dialog as large as the window, for an editor that is opened from another page's place. Only its buttons close it: Escape has
 * meanings of its own in an editor.
 */
export const Sheet = ({ title, onClose, children }: SheetProps) => (
  <Base.Root
    open
    disablePointerDismissal
    onOpenChange={(open, { reason }) => {
      if (!open && reason !== 'escape-key') onClose();
    }}
  >
    <Base.Portal>
      <Base.Backdrop className={dialog.backdrop} />
      <Base.Popup className={styles.sheet}>
        <header className={styles.head}>
          <Base.Title>{title}</Base.Title>
          <Base.Close className={styles.close} aria-label="Close">
            <Icon name="cross" />
          </Base.Close>
        </header>
        {/* A form around the sheet is not submitted together with the one inside. */}
        <div className={styles.body} onSubmit={(event) => event.stopPropagation()}>
          {children}
        </div>
      </Base.Popup>
    </Base.Portal>
  </Base.Root>
);
