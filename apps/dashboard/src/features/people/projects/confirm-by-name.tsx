import { type ReactNode, useState } from 'react';
import type { Failure } from '../../../lib/failure.ts';
import { Button } from '../../../ui/button.tsx';
import { Dialog, DialogActions } from '../../../ui/dialog.tsx';
import { TextField } from '../../../ui/field.tsx';
import { FailureNotice } from '../../../ui/notice.tsx';

interface ConfirmByNameProps {
  title: string;
  /** The label of the confirming button, starting with a verb. */
  action: string;
  /** What has to be typed. */
  name: string;
  pending: boolean;
  failure: Failure | null;
  children: ReactNode;
  onConfirm: () => void;
  onClose: () => void;
}

/** Asks for confirmation by typing a name, before an action that can't be undone. */
export function ConfirmByName({
  title,
  action,
  name,
  pending,
  failure,
  children,
  onConfirm,
  onClose,
}: ConfirmByNameProps) {
  const [typed, setTyped] = useState('');
  return (
    <Dialog title={title} onClose={onClose}>
      <p>{children}</p>
      <TextField
        name="confirmation"
        label={`Type “${name}” to confirm`}
        value={typed}
        autoComplete="off"
        onChange={({ target }) => setTyped(target.value)}
      />
      {failure && <FailureNotice failure={failure} />}
      <DialogActions>
        <Button onClick={onClose}>Cancel</Button>
        <Button kind="danger" pending={pending} disabled={typed.trim() !== name} onClick={onConfirm}>
          {action}
        </Button>
      </DialogActions>
    </Dialog>
  );
}
