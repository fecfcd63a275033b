import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { useApi } from '../../../lib/api.ts';
import { failureOf } from '../../../lib/failure.ts';
import { Confirm } from '../../../ui/dialog.tsx';
import { TextAreaField } from '../../../ui/field.tsx';

/** Declines an approval, with a reason for who asked. */
export function useDecline(id: string, onDecided: () => unknown) {
  const [open, setOpen] = useState(false);
  const [reason, setReason] = useState('');
  const decline = useMutation(
    useApi().approvals.decline.mutationOptions({ onSuccess: () => setOpen(false), onSettled: onDecided }),
  );
  return {
    run: () => setOpen(true),
    dialog: open && (
      <Confirm
        title="Decline this?"
        action="Decline"
        pending={decline.isPending}
        failure={decline.error ? failureOf(decline.error) : null}
        onConfirm={() => decline.mutate({ id, ...(reason.trim() !== '' && { reason }) })}
        onClose={() => setOpen(false)}
      >
        <TextAreaField
          name="reason"
          label="Reason"
          hint="Who asked can read it."
          value={reason}
          onChange={({ target }) => setReason(target.value)}
          maxLength={500}
          rows={3}
        />
      </Confirm>
    ),
  };
}
