import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { type Email, useApi } from '../../lib/api.ts';
import { formatMinute } from '../../lib/format.ts';
import { useFailure } from '../../lib/use-failure.ts';
import { useAnnounce } from '../../ui/announce.tsx';
import { Button } from '../../ui/button.tsx';
import { Dialog, DialogActions } from '../../ui/dialog.tsx';
import { Form } from '../../ui/form.tsx';
import type { Action } from '../../ui/menu.tsx';
import { ZonedTimeField } from '../../ui/zoned-time-field.tsx';
import { useRefreshEmails } from './use-refresh-emails.ts';

/** Moves a scheduled email to another time; a shared message as a whole, by its first email. */
export function useRescheduleEmail(email: Email): Action {
  const [open, setOpen] = useState(false);
  return {
    label: 'Change time',
    icon: 'clock',
    run: () => setOpen(true),
    dialog: open && <RescheduleDialog email={email} onClose={() => setOpen(false)} />,
  };
}

function RescheduleDialog({ email, onClose }: { email: Email; onClose: () => void }) {
  const announce = useAnnounce();
  const refresh = useRefreshEmails();
  const reschedule = useMutation({
    ...useApi().sending.reschedule.mutationOptions(),
    async onSuccess({ status, scheduledAt }) {
      await refresh();
      onClose();
      announce(
        status === 'SCHEDULED' && scheduledAt
          ? `Scheduled for ${formatMinute(scheduledAt)}`
          : 'Sending started',
      );
    },
    // Its time may have come meanwhile.
    onError: refresh,
  });
  const failure = useFailure(reschedule.error);
  return (
    <Dialog title="Change time" onClose={onClose}>
      <Form
        label="Change time"
        failure={failure}
        onSubmit={({ scheduledAt = '' }) =>
          reschedule.mutate({ id: email.sharedMessageId ?? email.id, scheduledAt })
        }
      >
        <ZonedTimeField
          name="scheduledAt"
          label="Date and time"
          defaultValue={new Date(email.scheduledAt ?? Date.now())}
          what="Sent"
          ownZone={Intl.DateTimeFormat().resolvedOptions().timeZone}
        />
        <DialogActions>
          <Button onClick={onClose}>Cancel</Button>
          <Button kind="primary" type="submit" pending={reschedule.isPending}>
            Change time
          </Button>
        </DialogActions>
      </Form>
    </Dialog>
  );
}
