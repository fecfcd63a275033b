import { type ReactNode, useEffect, useId, useRef } from 'react';
import type { Failure } from '../lib/failure.ts';
import { Button } from './button.tsx';
import styles from './dialog.module.css';
import { FailureNotice } from './notice.tsx';

interface DialogProps {
  title: string;
  onClose: () => void;
  /** For content that needs more space than a question, such as tables and filters. */
  wide?: boolean;
  children: ReactNode;
}

/** Modal while it is rendered. The browser keeps the focus inside, closes on Escape and returns the focus. */
export function Dialog({ title, onClose, wide, children }: DialogProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const id = useId();
  useEffect(() => {
    const element = dialog.current;
    element?.showModal();
    return () => element?.close();
  }, []);
  return (
    <dialog
      ref={dialog}
      className={wide ? `${styles.dialog} ${styles.wide}` : styles.dialog}
      aria-labelledby={id}
      onCancel={(event) => {
        event.preventDefault();
        onClose();
      }}
    >
      <h2 id={id}>{title}</h2>
      {children}
    </dialog>
  );
}

export const DialogActions = ({ children }: { children: ReactNode }) => (
  <div className={styles.actions}>{children}</div>
);

interface ConfirmProps {
  title: string;
  children: ReactNode;
  /** The label of the confirming button, starting with a verb. */
  action: string;
  /** The label of the other button, where “Cancel” could be read as the action itself. */
  dismiss?: string;
  danger?: boolean;
  pending: boolean;
  failure: Failure | null;
  onConfirm: () => void;
  onClose: () => void;
}

/** Asks for confirmation before an action that can't be undone. */
export function Confirm({
  title,
  children,
  action,
  dismiss = 'Cancel',
  danger,
  pending,
  failure,
  onConfirm,
  onClose,
}: ConfirmProps) {
  return (
    <Dialog title={title} onClose={onClose}>
      <div className={styles.text}>{children}</div>
      {failure && <FailureNotice failure={failure} />}
      <DialogActions>
        <Button onClick={onClose}>{dismiss}</Button>
        <Button kind={danger ? 'danger' : 'primary'} pending={pending} onClick={onConfirm}>
          {action}
        </Button>
      </DialogActions>
    </Dialog>
  );
}
