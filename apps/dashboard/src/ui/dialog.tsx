import { Dialog as Base } from '@base-ui/react/dialog';
import { type ReactNode, type RefObject, useId, useRef, useState } from 'react';
import type { Failure } from '../lib/failure.ts';
import { formatCount } from '../lib/format.ts';
import { Button } from './button.tsx';
import styles from './dialog.module.css';
import field from './field.module.css';
import { FailureNotice } from './notice.tsx';

interface DialogProps {
  title: string;
  onClose: () => void;
  /** For content that needs more space than a question, such as tables and filters. */
  wide?: boolean;
  /** Escape leaves it open, for what is not shown again. */
  keepsOnEscape?: boolean;
  /** Gets the focus when the dialog opens; otherwise the first control does. */
  initialFocus?: RefObject<HTMLElement | null>;
  children: ReactNode;
}

/**
 * Modal while it is rendered: the focus stays inside and returns afterwards, and Escape closes it. A click beside it does
 * not, because that would discard what was typed.
 */
export function Dialog({ title, onClose, wide, keepsOnEscape, initialFocus, children }: DialogProps) {
  return (
    <Base.Root
      open
      onOpenChange={(open, { reason }) => {
        if (!open && !(keepsOnEscape && reason === 'escape-key')) onClose();
      }}
      disablePointerDismissal
    >
      <Base.Portal>
        <Base.Backdrop className={styles.backdrop} />
        <Base.Viewport className={styles.viewport}>
          <Base.Popup
            className={wide ? `${styles.dialog} ${styles.wide}` : styles.dialog}
            {...(initialFocus && { initialFocus })}
          >
            <Base.Title>{title}</Base.Title>
            {children}
          </Base.Popup>
        </Base.Viewport>
      </Base.Portal>
    </Base.Root>
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
  /** What must be typed first, where many records are affected. */
  typed?: string | undefined;
  /** Whether it can be confirmed; false while something in the text is to be decided first. */
  isReady?: boolean;
  pending: boolean;
  failure: Failure | null;
  onConfirm: () => void;
  onClose: () => void;
}

/** Asks for confirmation before an action that can't be undone. The focus is on the button that changes nothing. */
export function Confirm({
  title,
  children,
  action,
  dismiss = 'Cancel',
  danger,
  typed,
  isReady = true,
  pending,
  failure,
  onConfirm,
  onClose,
}: ConfirmProps) {
  const safe = useRef<HTMLButtonElement>(null);
  const id = useId();
  const [text, setText] = useState('');
  const isUnlocked = isReady && (typed === undefined || isTyped(text, typed));
  return (
    <Dialog title={title} onClose={onClose} initialFocus={safe}>
      <div className={styles.text}>{children}</div>
      {typed !== undefined && (
        <div className={styles.typed}>
          <label htmlFor={id}>
            Type <strong>{typed}</strong> to confirm
          </label>
          <input
            id={id}
            type="text"
            autoComplete="off"
            className={field.control}
            value={text}
            onChange={({ target }) => setText(target.value)}
          />
        </div>
      )}
      {failure && <FailureNotice failure={failure} />}
      <DialogActions>
        <Button ref={safe} onClick={onClose}>
          {dismiss}
        </Button>
        <Button
          kind={danger ? 'danger' : 'primary'}
          disabled={!isUnlocked}
          pending={pending}
          onClick={onConfirm}
        >
          {action}
        </Button>
      </DialogActions>
    </Dialog>
  );
}

/** Numbers are typed with and without their separators. */
const isTyped = (text: string, wanted: string): boolean => {
  const plain = (each: string) => each.trim().replaceAll(/(?<=\d)[,.\s](?=\d)/g, '');
  return plain(text) === plain(wanted);
};

const mostUntyped = 100;

/** The number to type before a change to more than a hundred records. */
export const typedFor = (count: number): string | undefined =>
  count > mostUntyped ? formatCount(count) : undefined;
