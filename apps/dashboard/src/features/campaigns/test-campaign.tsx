import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { type Campaign, useApi } from '../../lib/api.ts';
import { useUser } from '../../lib/current.ts';
import { useFailure } from '../../lib/use-failure.ts';
import { useAnnounce } from '../../ui/announce.tsx';
import { Button } from '../../ui/button.tsx';
import { Dialog, DialogActions } from '../../ui/dialog.tsx';
import { TextField } from '../../ui/field.tsx';
import { Form } from '../../ui/form.tsx';
import type { Action } from '../../ui/menu.tsx';

/** Sends the campaign to one member of the project, as it would look to a contact with that address. */
export function useTestCampaign(campaign: Campaign): Action {
  const [open, setOpen] = useState(false);
  return {
    label: 'Send test',
    icon: 'mail',
    run: () => setOpen(true),
    dialog: open && <TestDialog campaign={campaign} onClose={() => setOpen(false)} />,
  };
}

export function TestDialog({ campaign, onClose }: { campaign: Campaign; onClose: () => void }) {
  const { email } = useUser();
  const announce = useAnnounce();
  const test = useMutation({
    ...useApi().campaigns.test.mutationOptions(),
    onSuccess({ to }) {
      announce(`Test email sent to ${to}`);
      onClose();
    },
  });
  return (
    <Dialog title="Send a test email" onClose={onClose}>
      <Form
        label="Test email"
        failure={useFailure(test.error)}
        onSubmit={(values) => test.mutate({ id: campaign.id, email: values.email ?? '' })}
      >
        <TextField
          name="email"
          label="To"
          type="email"
          defaultValue={email}
          hint="Must be a member of this project. If a contact with this address exists, its data is used. Test emails don't count in statistics."
          required
          autoFocus
        />
        <DialogActions>
          <Button onClick={onClose}>Cancel</Button>
          <Button kind="primary" type="submit" pending={test.isPending}>
            Send test email
          </Button>
        </DialogActions>
      </Form>
    </Dialog>
  );
}
