import { type ReactNode, useState } from 'react';
import { type Failure, failureOf } from '../lib/failure.ts';
import { Button } from './button.tsx';
import { Confirm } from './dialog.tsx';

interface DeleteRecordProps {
  /** the name of the record */
  label: string;
  /** what is deleted, e.g. `campaign` or `3 events` */
  noun: string;
  remove: { isPending: boolean; error: unknown; reset(): void };
  /** Rewords the server's error. */
  reword?: (failure: Failure) => Failure;
  onConfirm: () => void;
  /** what is deleted with it, and what is kept */
  children: ReactNode;
}

/** Deletes a record, after a confirmation that states what else is deleted. */
export function DeleteRecord({
  label,
  noun,
  remove,
  reword = (failure) => failure,
  onConfirm,
  children,
}: DeleteRecordProps) {
  const [asked, setAsked] = useState(false);
  return (
    <>
      <Button
        onClick={() => {
          remove.reset();
          setAsked(true);
        }}
      >
        Delete
      </Button>
      {asked && (
        <Confirm
          title={`Delete ${label}?`}
          action={`Delete ${noun}`}
          danger
          pending={remove.isPending}
          failure={remove.error ? reword(failureOf(remove.error)) : null}
          onConfirm={onConfirm}
          onClose={() => setAsked(false)}
        >
          <p>{children}</p>
        </Confirm>
      )}
    </>
  );
}
