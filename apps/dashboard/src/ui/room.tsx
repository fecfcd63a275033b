import { Dialog as Base } from '@base-ui/react/dialog';
import { type ReactNode, useRef } from 'react';
import { Button } from './button.tsx';
import styles from './room.module.css';

interface RoomProps {
  title: string;
  isOpen: boolean;
  onClose: () => void;
  /** Controls between the title and the button that closes it. */
  tools: ReactNode;
  children: ReactNode;
}

/**
 * An editor that has the window to itself. Only its button closes it: Escape has meanings of its own in an editor. It stays in the document
 * while it is closed, so that what was done in it can still be undone afterwards. What is changed in it belongs to the form that opens it.
 */
export function Room({ title, isOpen, onClose, tools, children }: RoomProps) {
  const room = useRef<HTMLDivElement>(null);
  return (
    <Base.Root
      open={isOpen}
      disablePointerDismissal
      onOpenChange={(open, { reason }) => {
        if (!open && reason !== 'escape-key') onClose();
      }}
    >
      <Base.Portal keepMounted>
        <Base.Popup
          ref={room}
          className={styles.room}
          data-of-form=""
          initialFocus={() => room.current?.querySelector<HTMLElement>('[contenteditable]') ?? true}
        >
          <header className={styles.bar}>
            <Base.Title className={styles.title}>{title}</Base.Title>
            <div className={styles.tools}>{tools}</div>
            <Base.Close render={<Button kind="primary">Done</Button>} />
          </header>
          {children}
        </Base.Popup>
      </Base.Portal>
    </Base.Root>
  );
}
