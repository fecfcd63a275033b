import { type ReactNode, useState } from 'react';
import { type Failure, failureOf } from '../lib/failure.ts';
import { Confirm, typedFor } from './dialog.tsx';
import { type Action, ActionButton } from './menu.tsx';

interface DeleteRecordProps {
  /** the name of the record */
  label: string;
  /** what is deleted, e.g. `campaign` or `3 events` */
  noun: string;
  /** The number of records that are deleted or changed with it; many must be confirmed by typing the number. */
  count?: number;
  /** What must be typed to confirm; default: the number, when it is large. */
  typed?: string | undefined;
  remove: { isPending: boolean; error: unknown; reset(): void };
  /** Rewords the server's error. */
  reword?: (failure: Failure) => Failure;
  onConfirm: () => void;
  /** what is deleted with it, and what is kept */
  children: ReactNode;
}

/** Deletes a record, after a confirmation that states what else is deleted: an entry of the menu of its page. */
export function useDeleteRecord({
  label,
  noun,
  count = 1,
  typed = typedFor(count),
  remove,
  reword = (failure) => failure,
  onConfirm,
  children,
}: DeleteRecordProps): Action {
  const [asked, setAsked] = useState(false);
  return {
    label: 'Delete',
    icon: 'trash',
    danger: true,
    run() {
      remove.reset();
      setAsked(true);
    },
    dialog: asked && (
      <Confirm
        title={`Delete ${label}?`}
        action={`Delete ${noun}`}
        danger
        typed={typed}
        pending={remove.isPending}
        failure={remove.error ? reword(failureOf(remove.error)) : null}
        onConfirm={onConfirm}
        onClose={() => setAsked(false)}
      >
        <p>{children}</p>
      </Confirm>
    ),
  };
}

/** As a button, on pages without a menu. */
export function DeleteRecord(props: DeleteRecordProps) {
  return <ActionButton action={{ ...useDeleteRecord(props), danger: false }} />;
}
