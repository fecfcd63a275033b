import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { type Campaign, useApi } from '../../lib/api.ts';
import { failureOf } from '../../lib/failure.ts';
import { formatMinute } from '../../lib/format.ts';
import { useAnnounce } from '../../ui/announce.tsx';
import { Button } from '../../ui/button.tsx';
import { MomentField } from '../../ui/date-field.tsx';
import { Dialog, DialogActions } from '../../ui/dialog.tsx';
import { Form } from '../../ui/form.tsx';
import type { Action } from '../../ui/menu.tsx';
import { useRefreshCampaigns } from './use-refresh-campaigns.ts';

const hourMs = 3_600_000;

/** Schedules the start of the campaign. */
export function useScheduleCampaign(campaign: Campaign): Action {
  const announce = useAnnounce();
  const refresh = useRefreshCampaigns();
  const [open, setOpen] = useState(false);
  const schedule = useMutation({
    ...useApi().campaigns.send.mutationOptions(),
    async onSuccess({ scheduledFor }) {
      await refresh();
      setOpen(false);
      announce(scheduledFor ? `Scheduled for ${formatMinute(scheduledFor)}` : 'Sending started');
    },
  });
  const suggested = campaign.scheduledFor ? new Date(campaign.scheduledFor) : new Date(Date.now() + hourMs);
  return {
    label: campaign.status === 'SCHEDULED' ? 'Change time' : 'Schedule',
    icon: 'clock',
    run() {
      schedule.reset();
      setOpen(true);
    },
    dialog: open && (
      <Dialog title="Schedule campaign" onClose={() => setOpen(false)}>
        <Form
          label="Schedule"
          failure={schedule.error ? failureOf(schedule.error) : null}
          onSubmit={({ scheduledFor = '' }) => schedule.mutate({ id: campaign.id, scheduledFor })}
        >
          <MomentField
            name="scheduledFor"
            label="Date and time"
            defaultValue={suggested}
            min={new Date()}
            hint="The audience is locked at that time."
          />
          <DialogActions>
            <Button onClick={() => setOpen(false)}>Cancel</Button>
            <Button kind="primary" type="submit" pending={schedule.isPending}>
              Schedule
            </Button>
          </DialogActions>
        </Form>
      </Dialog>
    ),
  };
}
