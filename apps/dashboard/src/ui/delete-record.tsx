import { type ReactNode, useState } from 'react';
import { failureOf } from '../lib/failure.ts';
import { Button } from './button.tsx';
import { Confirm } from './dialog.tsx';

interface DeleteRecordProps {
  /** the name of the record */
  label: string;
  /** the kind of record, e.g. `campaign` */
  noun: string;
  remove: { isPending: boolean; error: unknown; reset(): void };
  onConfirm: () => void;
  /** what is deleted with it, and what is kept */
  children: ReactNode;
}

/** Deletes a record, after a confirmation that states what else is deleted. */
export function DeleteRecord({ label, noun, remove, onConfirm, children }: DeleteRecordProps) {
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
          failure={remove.error ? failureOf(remove.error) : null}
          onConfirm={onConfirm}
          onClose={() => setAsked(false)}
        >
          <p>{children}</p>
        </Confirm>
      )}
    </>
  );
}
