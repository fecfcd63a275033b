import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { type Email, useApi } from '../../lib/api.ts';
import { failureOf } from '../../lib/failure.ts';
import { useAnnounce } from '../../ui/announce.tsx';
import { Confirm } from '../../ui/dialog.tsx';
import type { Action } from '../../ui/menu.tsx';
import { useRefreshEmails } from './use-refresh-emails.ts';

/** Takes an email that waits out of the queue; a shared message as a whole, by its first email. */
export function useCancelEmail({
  id,
  sharedMessageId,
  subject,
}: Pick<Email, 'id' | 'sharedMessageId' | 'subject'>): Action {
  const announce = useAnnounce();
  const refresh = useRefreshEmails();
  const [asked, setAsked] = useState(false);
  const cancel = useMutation({
    ...useApi().sending.cancel.mutationOptions(),
    async onSuccess() {
      await refresh();
      setAsked(false);
      announce('Email cancelled');
    },
    // It may be on its way by now.
    onError: refresh,
  });
  return {
    label: 'Cancel email',
    icon: 'stop',
    danger: true,
    run() {
      cancel.reset();
      setAsked(true);
    },
    dialog: asked && (
      <Confirm
        title={`Cancel “${subject}”?`}
        action="Cancel email"
        dismiss="Keep email"
        danger
        pending={cancel.isPending}
        failure={cancel.error ? failureOf(cancel.error) : null}
        onConfirm={() => cancel.mutate({ id: sharedMessageId ?? id })}
        onClose={() => setAsked(false)}
      >
        <p>
          {sharedMessageId ? 'None of its recipients will get the message.' : 'The email will not be sent.'}{' '}
          You can't undo this.
        </p>
      </Confirm>
    ),
  };
}
